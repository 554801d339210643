"""Classical text baselines on scikit-learn (extra `baselines`): what a detector has to beat, and what audits measure with."""
