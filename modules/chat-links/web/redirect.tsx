import { useEffect } from 'react'
import { EmptyState } from '#web/components/states.tsx'
import { useSiteAddress } from '#web/lib/api/base-url.ts'
import { chatAddress, useChatLinks } from '#web/lib/url/chat-links.ts'
import { KeyGate } from './key-gate.tsx'
import { useChatMessages } from './messages.ts'
import { siteOf } from './permission.ts'

const Leave = ({ address }: { address: string }) => {
  const say = useChatMessages()
  // The browser's address.
  useEffect(() => window.location.replace(address), [address])
  return <EmptyState title={say('busy')} />
}

/** Sends the browser to the first saved chat page, with the site's address and a key filled in. */
export const ChatRedirect = () => {
  const say = useChatMessages()
  const site = useSiteAddress()
  const links = useChatLinks()
  if (!links) return <EmptyState icon="warning" title={say('bad')} />
  const link = links.find((entry) => siteOf(entry.link).isPage) ?? links[0]
  if (!link) return <EmptyState icon="chat" title={say('none')} />
  return <KeyGate link={link}>{(key) => <Leave address={chatAddress(link.link, site, key)} />}</KeyGate>
}
