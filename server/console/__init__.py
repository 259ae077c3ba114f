"""The console: pages in a browser, which ask nothing but what any client may ask over HTTP.

page/  HTML, style and modules of JavaScript, as browsers get them; no step builds anything from them
pages  answers requests for the files of page/

    index.html     the whole page
    main.js        signs in, and puts the others together
    session.js     a token and a WebSocket: all that the console knows of the server
    elements.js    elements made from names and texts
    words.js       completion, places in a text, steps of a plan's text, by rules alone

    editor.js      keys, completion, earlier statements
    results.js     results as the WebSocket tells them
    grid.js        a table whose rows in sight alone are in the document
    live.js        rows and changes of a SUBSCRIBE
    plan.js        a plan as boxes
    as_of.js       the slider over an object's history
    objects.js     the tree of the database's objects

    pages.js       the pages beside the statements, of which one is in sight
    watch.js       asks a page's queries again and again
    maintained.js  what holds rows, with lags and ticks
    measures.js    lags, rates, sizes, reasons and critical paths, by rules alone
    layers.js      where a graph's objects stand, by rules alone
    object.js, freshness.js, graph.js, flows.js, activity.js, system.js   a page each
"""
