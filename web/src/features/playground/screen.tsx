import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { useLayoutEffect, useRef, useState } from 'react'
import { Icon, type IconName } from '../../components/icon.tsx'
import { notifyFailure } from '../../lib/notify.tsx'
import { CodeSheet } from './code-sheet.tsx'
import { Composer } from './composer.tsx'
import { chatRequest, type Message } from './conversation.ts'
import { MessageView, type MessageViewProps } from './message-view.tsx'
import { usePlaygroundWords } from './messages.ts'
import classes from './playground.module.css'
import { SettingsPanel } from './settings-panel.tsx'
import { type Chat, useChat } from './use-chat.ts'

/** Closer to the end than this, the view follows a growing answer. */
const followPx = 120

const example = (role: Message['role'], content: string): Message => ({
  id: role,
  role,
  content,
  createAt: 0,
  status: 'complete',
})

/** The greeting pair that the mission asks for; it is an example and never sent. */
const Greeting = () => {
  const say = usePlaygroundWords()
  return (
    <>
      <MessageView message={example('user', say('helloUser'))} note={say('notSent')} />
      <MessageView message={example('assistant', say('helloAssistant'))} note={say('notSent')} />
    </>
  )
}

const toolsOf = (chat: Chat, index: number): MessageViewProps['tools'] => {
  const message = chat.messages[index]
  if (!message || message.status === 'loading' || message.status === 'incomplete') return undefined
  const onRemove = (): void => chat.remove(message.id)
  if (chat.busy) return { onRemove }
  if (message.role === 'user') return { onRemove, onEdit: (text) => chat.resend(message.id, text) }
  const question = chat.messages.slice(0, index).findLast((entry) => entry.role === 'user')
  return question ? { onRemove, onRegenerate: () => chat.resend(question.id) } : { onRemove }
}

const Conversation = ({ chat }: { chat: Chat }) => {
  const say = usePlaygroundWords()
  const frame = useRef<HTMLDivElement>(null)
  // The scroll position: stays at the end while an answer grows, unless the person scrolled up.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the messages are what makes the content grow
  useLayoutEffect(() => {
    const element = frame.current
    if (
      element &&
      element.scrollHeight - element.scrollTop - element.clientHeight < followPx + element.clientHeight / 2
    )
      element.scrollTop = element.scrollHeight
  }, [chat.messages])
  return (
    <div ref={frame} className={classes.scroll} role="log" aria-label={say('log')} aria-busy={chat.busy}>
      <ol className={classes.messages}>
        {chat.messages.length === 0 && <Greeting />}
        {chat.messages.map((message, index) => {
          const tools = toolsOf(chat, index)
          return <MessageView key={message.id} message={message} {...(tools ? { tools } : {})} />
        })}
      </ol>
    </div>
  )
}

const BarButton = (props: { label: string; icon: IconName; onClick: () => void; disabled?: boolean }) => (
  <Tooltip label={props.label}>
    <ActionIcon size={36} aria-label={props.label} onClick={props.onClick} disabled={props.disabled ?? false}>
      <Icon name={props.icon} />
    </ActionIcon>
  </Tooltip>
)

export const PlaygroundScreen = () => {
  const say = usePlaygroundWords()
  const chat = useChat()
  const [settingsOpen, setSettingsOpen] = useState(false)
  const [showCode, setShowCode] = useState(false)
  const send = (text: string, images: readonly string[]): void => {
    if (chat.settings.model === '') notifyFailure(new Error(say('chooseModel')))
    else chat.send(text, images)
  }
  return (
    <div className={classes.page}>
      <aside className={`panel ${classes.settings}`} data-open={settingsOpen || undefined} aria-label={say('settings')}>
        <SettingsPanel settings={chat.settings} onChange={chat.setSettings} />
      </aside>
      <section className={`panel ${classes.chat}`} aria-label={say('title')}>
        <div className={classes.bar}>
          <h1>{say('title')}</h1>
          <span className={`mono faint cut ${classes.model}`}>{chat.settings.model}</span>
          <Button
            className={classes.toggle}
            aria-expanded={settingsOpen}
            onClick={() => setSettingsOpen(!settingsOpen)}
            leftSection={<Icon name="sliders" size={14} />}
          >
            {settingsOpen ? say('hideSettings') : say('settings')}
          </Button>
          <BarButton label={say('code')} icon="code" onClick={() => setShowCode(true)} />
          <BarButton label={say('clear')} icon="trash" onClick={chat.clear} disabled={chat.messages.length === 0} />
        </div>
        <Conversation chat={chat} />
        <Composer busy={chat.busy} onSend={send} onStop={chat.stop} />
      </section>
      {showCode && <CodeSheet request={chatRequest(chat.settings, chat.messages)} onClose={() => setShowCode(false)} />}
    </div>
  )
}
