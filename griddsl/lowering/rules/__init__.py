"""What makes rules and actions run: events, meetings, what is legal, and how a block is carried out."""
