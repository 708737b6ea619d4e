"""Many runs at once: cases one after another, what a run is made of, and playing them."""
