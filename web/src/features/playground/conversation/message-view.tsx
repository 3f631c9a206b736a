import { ActionIcon, Button, Group, Loader, Textarea } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { memo, useState } from 'react'
import { CopyDialog, useCopy } from '../../../components/copy/copy-text.tsx'
import { Hint } from '../../../components/display/hint.tsx'
import { Icon, type IconName } from '../../../components/display/icon.tsx'
import { useCallQuotaText } from '../../../components/display/quota.tsx'
import { Markdown } from '../../../components/markdown/markdown.tsx'
import { useUiMessages } from '../../../components/messages.ts'
import { formatCompact, formatDuration } from '../../../lib/text/format.ts'
import { usePlaygroundMessages } from '../messages.ts'
import type { Chat } from './chat.ts'
import classes from './conversation.module.css'
import { Pictures, Sound } from './media-view.tsx'
import { type ChatMessage, isSettled, type ToolCall } from './message.ts'

const Tool = (props: { label: string; icon: IconName; onClick: () => void; disabled?: boolean }) => (
  <Hint label={props.label}>
    <ActionIcon size={28} aria-label={props.label} onClick={props.onClick} disabled={props.disabled ?? false}>
      <Icon name={props.icon} size={14} />
    </ActionIcon>
  </Hint>
)

const Editor = (props: { text: string; onSave: (text: string) => void; onCancel: () => void }) => {
  const say = usePlaygroundMessages()
  const [text, setText] = useState(props.text)
  return (
    <div>
      <Textarea
        aria-label={say('edit')}
        autosize
        autoFocus
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') props.onCancel()
        }}
      />
      <Group gap={8} mt={8}>
        <Button variant="filled" disabled={text.trim() === ''} onClick={() => props.onSave(text.trim())}>
          {say('saveEdit')}
        </Button>
        <Button onClick={props.onCancel}>{say('cancel')}</Button>
      </Group>
    </div>
  )
}

/** How many tokens, how long and how much, once the answer has ended. */
const FiguresLine = ({ message }: { message: ChatMessage }) => {
  const say = usePlaygroundMessages()
  const quotaText = useCallQuotaText()
  if (message.role === 'user' || message.totalMs === undefined || !isSettled(message)) return null
  const timing = { first: formatDuration(message.firstMs ?? message.totalMs), total: formatDuration(message.totalMs) }
  // An answer that comes as a whole has no first token.
  const [figures, timings] =
    message.kind === undefined ? (['figures', 'timings'] as const) : (['wholeFigures', 'wholeTimings'] as const)
  return (
    <span className={`num ${classes.figures}`}>
      {message.stopped && `${say('stopped')} · `}
      {message.usage
        ? say(figures, {
            ...timing,
            input: formatCompact(message.usage.input),
            output: formatCompact(message.usage.output),
          })
        : say(timings, timing)}
      {message.quota !== undefined && (
        <>
          {' · '}
          <Link
            to="/log"
            search={{ request: message.requestId ?? '' }}
            aria-label={say('charge', { amount: quotaText(message.quota) })}
          >
            {quotaText(message.quota)}
          </Link>
        </>
      )}
    </span>
  )
}

const Failure = ({ message }: { message: ChatMessage }) => {
  const say = usePlaygroundMessages()
  return (
    <div className={classes.failed} role="alert">
      <Icon name="warning" /> <strong className="strong">{say('failed')}</strong>
      <p>{message.content.slice(message.errorAt ?? 0)}</p>
      {message.requestId && <code className="mono">{say('requestId', { id: message.requestId })}</code>}
    </div>
  )
}

const readable = (input: string): string => {
  try {
    return JSON.stringify(JSON.parse(input), null, 2)
  } catch {
    return input
  }
}

const ToolCalls = ({ calls }: { calls: readonly ToolCall[] }) => {
  const say = usePlaygroundMessages()
  return calls.map(({ at, name, input }) => (
    <div key={at} className={classes.call}>
      {say('toolCall')} <strong className="mono">{name}</strong>
      {input !== '' && <pre className="mono">{readable(input)}</pre>}
    </div>
  ))
}

/** An answer that ended as it should, and brought nothing to look at. */
const isEmptyAnswer = ({ role, status, content, images, sound, calls, stopped = false }: ChatMessage): boolean =>
  role === 'assistant' &&
  status === 'complete' &&
  !stopped &&
  content === '' &&
  !images?.length &&
  sound === undefined &&
  !calls?.length

const Body = ({ message }: { message: ChatMessage }) => {
  const say = usePlaygroundMessages()
  const text = message.status === 'error' ? message.content.slice(0, message.errorAt ?? 0) : message.content
  return (
    <>
      {message.reasoning && (
        <details className={classes.reasoning}>
          <summary>{say('reasoning')}</summary>
          <Markdown text={message.reasoning} />
        </details>
      )}
      {message.images && <Pictures images={message.images} />}
      {message.sound !== undefined && <Sound address={message.sound} />}
      {message.status === 'loading' && (
        <span className="faint">
          <Loader size={14} type="dots" color="var(--ink-3)" /> {message.reasoning ? say('thinking') : say('writing')}
        </span>
      )}
      {message.role === 'user' ? <p className={classes.question}>{text}</p> : text !== '' && <Markdown text={text} />}
      {message.calls && <ToolCalls calls={message.calls} />}
      {isEmptyAnswer(message) && <span className="faint">{say('emptyAnswer')}</span>}
      {message.status === 'error' && <Failure message={message} />}
    </>
  )
}

const Versions = (props: { version: number; versions: number; onStep: (by: -1 | 1) => void }) => {
  const say = usePlaygroundMessages()
  return (
    // biome-ignore lint/a11y/useSemanticElements: two buttons of a toolbar, not fields of a form
    <span role="group" aria-label={say('versions')} className={classes.versions}>
      <Tool label={say('before')} icon="left" disabled={props.version === 1} onClick={() => props.onStep(-1)} />
      <span className="num">{say('version', { version: props.version, versions: props.versions })}</span>
      <Tool
        label={say('after')}
        icon="right"
        disabled={props.version === props.versions}
        onClick={() => props.onStep(1)}
      />
    </span>
  )
}

export interface MessageViewProps {
  message: ChatMessage
  version?: number
  versions?: number
  /** True if the conversation continues with this one of several answers. */
  followed?: boolean
  /** While an answer is running nothing is asked anew. */
  busy?: boolean
  /** Examples cannot be acted on. */
  chat?: Chat
}

/** One message: author, content and actions. */
export const MessageView = memo(
  ({ message, chat, busy = false, version = 1, versions = 1, followed }: MessageViewProps) => {
    const say = usePlaygroundMessages()
    const ui = useUiMessages()
    const { copy, byHand } = useCopy()
    const [editing, setEditing] = useState(false)
    const isQuestion = message.role === 'user'
    const questionId = isQuestion ? message.id : message.parent
    return (
      <li className={classes.message} data-role={message.role} data-status={message.status}>
        <div className={classes.author}>
          {isQuestion ? say('you') : say('assistant')}
          {message.model && <span className="mono faint"> · {message.model}</span>}
          {followed && <span className={classes.followed}>{say('followed')}</span>}
        </div>
        <div className={classes.body}>
          {editing && chat ? (
            <Editor
              text={message.content}
              onCancel={() => setEditing(false)}
              onSave={(text) => {
                setEditing(false)
                chat.resend(message.id, text)
              }}
            />
          ) : (
            <Body message={message} />
          )}
        </div>
        {chat && isSettled(message) && !editing && (
          <div className={classes.tools}>
            <FiguresLine message={message} />
            {versions > 1 && (
              <Versions version={version} versions={versions} onStep={(by) => chat.step(message.id, by)} />
            )}
            <Tool label={ui('copy')} icon="copy" onClick={() => void copy(message.content, { secret: true })} />
            {!isQuestion && questionId !== null && !busy && (
              <Tool label={say('regenerate')} icon="refresh" onClick={() => chat.resend(questionId)} />
            )}
            {isQuestion && !busy && <Tool label={say('edit')} icon="edit" onClick={() => setEditing(true)} />}
            {!busy && <Tool label={say('remove')} icon="trash" onClick={() => chat.remove(message.id)} />}
            {followed === false && (
              <button type="button" className="text-button" onClick={() => chat.choose(message.id)}>
                {say('continueWith')}
              </button>
            )}
          </div>
        )}
        <CopyDialog {...byHand} />
      </li>
    )
  },
)
MessageView.displayName = 'MessageView'
