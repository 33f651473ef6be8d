// Runs in the browser, in the page /docs. Everything that it loads comes from the server that served the page.
globalThis.SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#docs',
  layout: 'BaseLayout',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  // Would send the description to a validator on the internet.
  validatorUrl: null,
  // A key that was typed in ends with the page.
  persistAuthorization: false,
  requestInterceptor: (request) => {
    // OpenAPI has no path parameter with slashes in it; in the path of a note they stay as they are.
    const [path, query] = request.url.split('?');
    if (path.includes('/v1/notes/'))
      request.url = path.replaceAll('%2F', '/') + (query === undefined ? '' : `?${query}`);
    return request;
  },
});
