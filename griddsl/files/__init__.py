"""What lies on disk: files that are found, written whole, kept between processes, and folders of specs."""
