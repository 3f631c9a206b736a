import { Button } from '@mantine/core'
import { Link, useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import { Icon } from '#web/components/display/icon.tsx'
import { EmbeddedPage } from '#web/components/markdown/embedded-page.tsx'
import { PageHeader } from '#web/components/page-header.tsx'
import { EmptyState } from '#web/components/states.tsx'
import { useSiteAddress } from '#web/lib/api/base-url.ts'
import { type ChatLink, chatAddress, useChatLinks } from '#web/lib/url/chat-links.ts'
import classes from './chat.module.css'
import { KeyGate } from './key-gate.tsx'
import { useChatMessages } from './messages.ts'
import { siteOf } from './permission.ts'

/** Opens a client on this machine, once and again on request. */
const ClientLink = ({ address }: { address: string }) => {
  const say = useChatMessages()
  // The machine's own programs.
  useEffect(() => window.location.assign(address), [address])
  return (
    <EmptyState
      icon="external"
      title={say('opened')}
      text={say('openedText')}
      action={
        <Button component="a" href={address}>
          {say('again')}
        </Button>
      }
    />
  )
}

const Page = (props: { link: ChatLink; address: string; tokenName: string; onChange: () => void }) => {
  const say = useChatMessages()
  const { host } = siteOf(props.link.link)
  return (
    <div className={classes.page}>
      {props.tokenName !== '' && (
        <div className={classes.bar}>
          <span className="cut">{say('using', { host, name: props.tokenName })}</span>
          <button type="button" className="text-button" onClick={props.onChange}>
            {say('change')}
          </button>
        </div>
      )}
      <EmbeddedPage
        className={classes.frame ?? ''}
        src={props.address}
        title={props.link.name}
        allow="camera; microphone; clipboard-write"
      />
    </div>
  )
}

const Group = ({ links }: { links: readonly ChatLink[] }) => {
  const say = useChatMessages()
  return (
    <>
      <PageHeader title={say('pick')} text={say('pickText')} />
      <ul className={`panel ${classes.links}`}>
        {links.map((link, index) => (
          <li key={link.name}>
            <Link to="/chat/$id" params={{ id: String(index) }}>
              <Icon name="chat" size={15} />
              <strong className="strong cut">{link.name}</strong>
              <span className="mono faint cut">{siteOf(link.link).host}</span>
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}

/** A saved chat link in a frame, with the site's address and a key filled in; without an index, the list of them. */
export const ChatScreen = () => {
  const say = useChatMessages()
  const site = useSiteAddress()
  const { id } = useParams({ strict: false }) as { id?: string }
  const links = useChatLinks()
  if (!links) return <EmptyState icon="warning" title={say('bad')} />
  if (links.length === 0) return <EmptyState icon="chat" title={say('none')} />
  const link = links[Number(id ?? Number.NaN)]
  if (!link) return <Group links={links} />
  return (
    <KeyGate key={id} link={link}>
      {(key, tokenName, change) => {
        const address = chatAddress(link.link, site, key)
        if (!siteOf(link.link).isPage) return <ClientLink address={address} />
        return <Page link={link} address={address} tokenName={tokenName} onChange={change} />
      }}
    </KeyGate>
  )
}
