/** Pieces in which bytes become text, far below the number of arguments that a call takes. */
const piece = 32_768

/** A file as the server takes it: deflated and in base64, since price lists have megabytes. */
export const packedFile = async (file: Blob): Promise<string> => {
  const deflated = new Response(file.stream().pipeThrough(new CompressionStream('deflate-raw')))
  const bytes = new Uint8Array(await deflated.arrayBuffer())
  let text = ''
  for (let from = 0; from < bytes.length; from += piece)
    text += String.fromCharCode(...bytes.subarray(from, from + piece))
  return btoa(text)
}
