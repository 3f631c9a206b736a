import type { RowAction } from '../../components/data-table/columns/column.ts'
import { revealKey } from '../../components/first-calls/calling-facts.ts'
import { useSiteAddress } from '../../lib/api/base-url.ts'
import type { Token } from '../../lib/api/contract.ts'
import { notifyFailure } from '../../lib/notify.tsx'
import { useAction } from '../../lib/query.ts'
import { type ChatLink, chatAddress, useChatLinks } from '../../lib/url/chat-links.ts'
import { useTokenMessages } from './messages.ts'

/** One menu entry per saved chat link: opens it with the site's address and the whole key. */
export const useChatActions = (): ((token: Token) => readonly RowAction[]) => {
  const say = useTokenMessages()
  const siteAddress = useSiteAddress()
  const links = useChatLinks()
  const fill = useAction(async (page: Window | null, id: number, { link }: ChatLink): Promise<void> => {
    try {
      const address = chatAddress(link, siteAddress, await revealKey(id))
      if (!page) return
      page.opener = null
      page.location.href = address
    } catch (error) {
      page?.close()
      throw error
    }
  })
  // Opened before the key is known: browsers forbid windows that open later.
  const open = ({ id }: Token, chat: ChatLink): void => void fill.run(window.open('about:blank', '_blank'), id, chat)
  const refuse = (reason: string): readonly RowAction[] => [
    { label: say('chatNone'), icon: 'chat', onClick: () => notifyFailure(reason) },
  ]
  return (token) => {
    if (!links) return refuse(say('badChat'))
    if (links.length === 0) return refuse(say('noChat'))
    return links.map((link) => ({
      label: say('chat', { name: link.name }),
      icon: 'chat',
      onClick: () => open(token, link),
    }))
  }
}
