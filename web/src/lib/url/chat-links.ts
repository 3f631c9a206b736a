import { defineMessages } from '../i18n.ts'
import { useStatus } from '../status.ts'

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

const useNameMessages = defineMessages('chat-names', {
  zh: { nextWeb: 'ChatGPT Next Web 官方示例', lobe: 'Lobe Chat 官方示例', ama: 'AMA 问天' },
  en: { nextWeb: 'ChatGPT Next Web (official demo)', lobe: 'Lobe Chat (official demo)', ama: 'AMA' },
})

/** The names that links have until an operator changes them; only these are translated. */
const ownNames = new Map(
  (['nextWeb', 'lobe', 'ama'] as const).map((key) => [useNameMessages.messages.zh[key], key] as const),
)

/** The site's chat links under the names of the reader's language; undefined when the list is malformed. */
export const useChatLinks = (): readonly ChatLink[] | undefined => {
  const say = useNameMessages()
  const links = readChatLinks(useStatus().chats)
  return links?.map(({ name, link }) => {
    const key = ownNames.get(name)
    return { name: key === undefined ? name : say(key), link }
  })
}

/** Puts the site's address and a whole key into a chat link. */
export const chatAddress = (link: string, address: string, key: string): string =>
  link.replaceAll('{address}', encodeURIComponent(address)).replaceAll('{key}', key)
