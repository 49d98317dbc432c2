"""What a face has to meet: type size, contrast, room to the cut, colours that stay apart, backs that mark nothing."""
