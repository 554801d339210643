"""How a chat model judges: what it is shown, what it is asked, and how its answers become judgements."""
