"""What a browser is given: pages that play a spec by themselves, recordings of what was played, studies."""
