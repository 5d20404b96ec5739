"""What is done before a release: rehearsal, and tests with the oldest and the newest versions of what is needed."""
