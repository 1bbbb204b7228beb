"""One door for people: a page from which one plays, reviews, practises, watches and sees how one fares."""
