"""The console: pages in a browser, which ask nothing but what any client may ask over HTTP.

page/  HTML, style and modules of JavaScript, as browsers get them; no step builds anything from them
pages  answers requests for the files of page/

    index.html   the whole page
    main.js      signs in, and puts the others together
    session.js   a token and a WebSocket: all that the console knows of the server
    editor.js    keys, completion, earlier statements
    results.js   results as the WebSocket tells them
    grid.js      a table whose rows in sight alone are in the document
    live.js      rows and changes of a SUBSCRIBE
    objects.js   the tree of the database's objects
    words.js     completion and places in a text, by rules alone
"""
