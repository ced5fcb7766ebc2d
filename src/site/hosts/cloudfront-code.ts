/** The part of CloudFront's function that is the same for all trees. */
export const CLOUDFRONT_CODE = String.raw`
function handler(event) {
  if (event.context.eventType === "viewer-response") return withHeaders(event);
  var request = event.request;
  if (request.uri.indexOf(BASE) !== 0) return request;
  var path = request.uri.slice(BASE.length - 1);
  var accept = request.headers.accept ? request.headers.accept.value : "";
  var found = find(path, [0]);
  if (found && found.address[6] && accept.indexOf("text/html") < 0) found = null;
  // An error of S3 becomes the page 404.html, an error of the API is JSON.
  if (!found) return /^\/(api|\.well-known)(\/|$)/.test(path) ? failure("address") : request;
  if (request.method === "OPTIONS") return answer(204, PREFLIGHT, "");
  if (request.method !== "GET" && request.method !== "HEAD") return failure("method");
  var address = found.address;
  if (address[0].indexOf("{host}") >= 0 && !HOST.test(found.parts[1])) return failure("host");
  var names = Object.keys(request.querystring);
  var scan = request.querystring.scan && address[2] ? request.querystring.scan : null;
  var isBad = scan && (scan.multiValue || !/^[a-zA-Z0-9_-]{1,128}$/.test(scan.value));
  if (isBad || (address[5] && names.length > (scan ? 1 : 0))) return failure("query");
  var isMarkdown = address[3] && /(^|,)\s*text\/markdown\s*(,|$)/i.test(accept);
  var file = address[(isMarkdown ? 3 : 1) + (scan ? 1 : 0)];
  var count = 0;
  request.uri = BASE + file.replace(/\{(\w+)\}/g, function (all, name) {
    if (name === "scan") return scan.value;
    var part = found.parts[++count];
    return name === "host" && /^sites/.test(file) && /[.]html$/.test(part) ? part + "_" : part;
  });
  request.querystring = {};
  return request;
}

// The address whose form, or one of whose files, is a path.
function find(path, places) {
  for (var i = 0; i < ADDRESSES.length; i++) {
    for (var j = 0; j < places.length; j++) {
      var form = ADDRESSES[i][places[j]];
      if (form === "") continue;
      var pattern = form.replace(/\./g, "\\.").replace(/\{\w+\}/g, "([^/]+)");
      var parts = new RegExp("^/?" + pattern.replace(/^\//, "") + "$").exec(path);
      if (parts) return { address: ADDRESSES[i], parts: parts };
    }
  }
  return null;
}

function failure(name) {
  var headers = { "Content-Type": "application/json", "Cache-Control": "no-store" };
  if (name === "method") headers.Allow = PREFLIGHT.Allow;
  return answer(ERRORS[name][0], Object.assign(headers, COMMON), ERRORS[name][1]);
}

function answer(status, values, body) {
  return add({ statusCode: status, headers: {}, body: { encoding: "text", data: body } }, values);
}

function add(response, values) {
  Object.keys(values).forEach(function (name) {
    response.headers[name.toLowerCase()] = { value: values[name] };
  });
  return response;
}

function withHeaders(event) {
  var response = add(event.response, COMMON);
  if (response.statusCode >= 400) return response;
  var found = find(event.request.uri.slice(BASE.length - 1), [0, 1, 2]);
  return found ? add(response, SETS[found.address[7]]) : response;
}
`;
