import { Button, Checkbox, Select } from '@mantine/core'
import { useState } from 'react'
import type { Token } from '#web/lib/api/contract.ts'
import type { ChatLink } from '#web/lib/url/chat-links.ts'
import classes from './chat.module.css'
import { useChatMessages } from './messages.ts'
import { siteOf } from './permission.ts'

/** Asks which key another site may have, once. */
export const KeyQuestion = (props: {
  link: ChatLink
  tokens: readonly Token[]
  onAnswer: (id: number, kept: boolean) => void
}) => {
  const say = useChatMessages()
  const { host, isPage } = siteOf(props.link.link)
  const [id, setId] = useState(String(props.tokens[0]?.id ?? ''))
  const [kept, setKept] = useState(true)
  return (
    <form
      className={`panel ${classes.question}`}
      onSubmit={(event) => {
        event.preventDefault()
        props.onAnswer(Number(id), kept)
      }}
    >
      <h1>{say('consent', { name: props.link.name })}</h1>
      <p>{isPage ? say('consentText', { host }) : say('clientText')}</p>
      <Select
        label={say('token')}
        data={props.tokens.map((token) => ({ value: String(token.id), label: `${token.name} · sk-${token.key}` }))}
        value={id}
        onChange={(value) => setId(value ?? id)}
      />
      <Checkbox label={say('remember')} checked={kept} onChange={(event) => setKept(event.currentTarget.checked)} />
      <Button type="submit" variant="filled">
        {say('go')}
      </Button>
    </form>
  )
}
