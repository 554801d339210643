/* Data and sound. Every text reaches the document as text, never as markup. */

const contents = JSON.parse(document.getElementById("index").textContent);

const store = {
  index: contents.cases,
  elsewhere: new Map(Object.entries(contents.elsewhere)),
  calls: new Map(),
  urls: new Map(),

  /** The data of one call, read when first needed. */
  call(number) {
    if (!this.calls.has(number)) {
      this.calls.set(number, JSON.parse(document.getElementById(`case-${number}`).textContent));
    }
    return this.calls.get(number);
  },

  /** Position of a case on this page, or -1. */
  find(name) {
    return this.index.findIndex((entry) => entry.case === name);
  },

  /** Bytes of an embedded recording, or null. */
  bytes(number) {
    const block = document.getElementById(`audio-${number}`);
    return block ? Uint8Array.from(atob(block.textContent), (letter) => letter.charCodeAt(0)) : null;
  },

  /** Address the audio element can play, or null where nothing was recorded. */
  url(number) {
    const entry = this.index[number];
    if (entry.audio === "linked") return entry.href;
    if (entry.audio === "none") return null;
    if (!this.urls.has(number)) {
      this.urls.set(number, URL.createObjectURL(new Blob([this.bytes(number)], { type: "audio/flac" })));
    }
    return this.urls.get(number);
  },
};

/** Plays one call at a time and says where it is. */
class Player {
  constructor(element) {
    this.element = element;
    this.number = null;
    this.until = null;
    this.listeners = [];
    for (const name of ["play", "pause", "seeked", "ended", "loadedmetadata"]) {
      element.addEventListener(name, () => this.tell());
    }
    element.addEventListener("play", () => this.watch());
  }

  /** Calls back with this player whenever the position or the state may have changed. */
  listen(callback) {
    this.listeners.push(callback);
  }

  tell() {
    for (const callback of this.listeners) callback(this);
  }

  /** Follows the position on every frame while sound is playing. */
  watch() {
    if (this.element.paused) return;
    if (this.until !== null && this.element.currentTime >= this.until) this.pause();
    this.tell();
    requestAnimationFrame(() => this.watch());
  }

  /** Makes a call the current one; false where it has no sound. */
  load(number) {
    if (this.number === number) return this.element.hasAttribute("src");
    this.pause();
    this.number = number;
    this.until = null;
    const url = store.url(number);
    if (url === null) this.element.removeAttribute("src");
    else this.element.src = url;
    this.tell();
    return url !== null;
  }

  get seconds() {
    return this.element.currentTime;
  }

  get playing() {
    return !this.element.paused;
  }

  /** Moves to a place of the current call, as soon as the browser knows its length. */
  seek(seconds) {
    const move = () => { this.element.currentTime = seconds; };
    if (this.element.readyState >= HTMLMediaElement.HAVE_METADATA) move();
    else this.element.addEventListener("loadedmetadata", move, { once: true });
  }

  /** Plays the current call from a place, up to another one where given (both in seconds). */
  play(from = null, until = null) {
    this.until = until;
    if (from !== null) this.seek(from);
    this.element.play().catch((error) => {
      if (error.name !== "AbortError") notify(`The recording cannot be played: ${error.message}`);
    });
  }

  pause() {
    this.until = null;
    this.element.pause();
  }

  toggle() {
    if (this.playing) this.pause();
    else if (this.element.hasAttribute("src")) this.play();
  }
}

/** The sound of one message: start and end in seconds, or null. */
function place(call, message) {
  const found = call.segments.find((segment) => segment[0] === message);
  return found ? { start: found[2] / call.rate, end: found[3] / call.rate } : null;
}

/** The messages sounding at a moment; the margin absorbs the browser's rounding of a seek. */
function sounding(call, seconds) {
  const sample = (seconds + 0.01) * call.rate;
  return call.segments.filter((segment) => segment[2] <= sample && sample < segment[3]).map((segment) => segment[0]);
}

/** Loudest sample of each of `bins` equal stretches, per channel, or null where the sound cannot be read. */
async function peaks(number, call, bins) {
  const bytes = store.bytes(number);
  if (!bytes || !call.rate) return null;
  const context = new OfflineAudioContext(2, 1, call.rate);
  const sound = await context.decodeAudioData(bytes.buffer);
  const channels = [];
  for (let side = 0; side < sound.numberOfChannels; side += 1) {
    const samples = sound.getChannelData(side);
    const found = new Float32Array(bins);
    for (let at = 0; at < samples.length; at += 1) {
      const bin = Math.min(bins - 1, Math.floor((at * bins) / samples.length));
      const size = Math.abs(samples[at]);
      if (size > found[bin]) found[bin] = size;
    }
    channels.push(found);
  }
  return channels;
}
