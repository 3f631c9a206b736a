/** What an answer may hold; those of real providers are a tenth of it. */
const mostBytes = 180_000
const mostElements = 10_000
const mostDepth = 40

/**
 * The XML of an answer; undefined for one that is too large or too deep, or that holds what no provider sends and what attacks are made
 * of: document types (entities), comments (they split a name in two for some readers), marked sections and instructions.
 */
export const samlXml = (base64: string): string | undefined => {
  if (!/^[A-Za-z0-9+/\s]+={0,2}\s*$/.test(base64) || base64.length > mostBytes * 1.4) return undefined
  const xml = Buffer.from(base64, 'base64').toString('utf8')
  if (xml.length > mostBytes || xml.includes('<!') || xml.slice(1).includes('<?')) return undefined
  let depth = 0
  let elements = 0
  for (const [, closing, alone] of xml.matchAll(/<(\/?)[^<>]*?(\/?)>/g)) {
    elements += 1
    if (closing === '/') depth -= 1
    else if (alone !== '/') depth += 1
    if (elements > mostElements || depth > mostDepth) return undefined
  }
  return xml
}
