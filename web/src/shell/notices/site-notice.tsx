import { ActionIcon } from '@mantine/core'
import { useState } from 'react'
import { Icon } from '../../components/display/icon.tsx'
import markdown from '../../components/markdown/markdown.module.css'
import { SafeHtml } from '../../components/markdown/safe-html.tsx'
import { calls } from '../../lib/api/contract.ts'
import { readText, writeText } from '../../lib/preferences/storage.ts'
import { useEndpoint } from '../../lib/query.ts'
import { useShellMessages } from '../messages.ts'
import classes from './notices.module.css'

const freshMs = 5 * 60_000

/** The operator's notice, until the person closes it; another text is shown again. */
export const SiteNotice = () => {
  const say = useShellMessages()
  const { data } = useEndpoint(calls.getNotice, {}, { staleTimeMs: freshMs })
  const [closed, setClosed] = useState(readText('notice') ?? '')
  const text = data?.trim() ?? ''
  if (text === '' || text === closed) return null
  return (
    <section className={classes.site} aria-label={say('notice')}>
      <Icon name="info" />
      <div className={`${markdown.markdown} ${classes.siteText}`}>
        <SafeHtml html={text} />
      </div>
      <ActionIcon
        aria-label={say('closeNotice')}
        onClick={() => {
          writeText('notice', text)
          setClosed(text)
        }}
      >
        <Icon name="close" />
      </ActionIcon>
    </section>
  )
}
