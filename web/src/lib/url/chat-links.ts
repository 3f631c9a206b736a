/** One saved chat link. */
export interface ChatLink {
  readonly name: string
  readonly link: string
}

/** Saved chat links, each a one-entry record; undefined when the list is malformed. */
export const readChatLinks = (chats: unknown): readonly ChatLink[] | undefined => {
  if (!Array.isArray(chats)) return undefined
  const links = chats.map((entry: unknown) => {
    const [pair] = typeof entry === 'object' && entry !== null ? Object.entries(entry) : []
    return pair && typeof pair[1] === 'string' ? { name: pair[0], link: pair[1] } : undefined
  })
  const good = links.filter((link) => link !== undefined)
  return good.length === links.length ? good : undefined
}

/** Puts the site's address and a whole key into a chat link. */
export const chatAddress = (link: string, address: string, key: string): string =>
  link.replaceAll('{address}', encodeURIComponent(address)).replaceAll('{key}', key)
