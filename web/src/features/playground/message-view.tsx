import { ActionIcon, Button, Group, Loader, Textarea, Tooltip } from '@mantine/core'
import { memo, useState } from 'react'
import { useCopy } from '../../components/copy-text.tsx'
import { Icon, type IconName } from '../../components/icon.tsx'
import { Markdown } from '../../components/markdown.tsx'
import { useUiWords } from '../../components/messages.ts'
import { formatCompact, formatDuration } from '../../lib/format.ts'
import type { Message } from './conversation.ts'
import { usePlaygroundWords } from './messages.ts'
import classes from './playground.module.css'

const Tool = (props: { label: string; icon: IconName; onClick: () => void }) => (
  <Tooltip label={props.label}>
    <ActionIcon size={28} aria-label={props.label} onClick={props.onClick}>
      <Icon name={props.icon} size={14} />
    </ActionIcon>
  </Tooltip>
)

const Editor = (props: { text: string; onSave: (text: string) => void; onCancel: () => void }) => {
  const say = usePlaygroundWords()
  const [text, setText] = useState(props.text)
  return (
    <div>
      <Textarea
        aria-label={say('edit')}
        autosize
        autoFocus
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Group gap={8} mt={8}>
        <Button variant="filled" disabled={text.trim() === ''} onClick={() => props.onSave(text)}>
          {say('saveEdit')}
        </Button>
        <Button onClick={props.onCancel}>{say('cancel')}</Button>
      </Group>
    </div>
  )
}

/** How many tokens and how long, once the answer has ended. */
const FiguresLine = ({ message }: { message: Message }) => {
  const say = usePlaygroundWords()
  if (message.role === 'user' || message.totalMs === undefined || message.status === 'loading') return null
  const timing = { first: formatDuration(message.firstMs ?? message.totalMs), total: formatDuration(message.totalMs) }
  return (
    <span className={`num ${classes.figures}`}>
      {message.stopped && `${say('stopped')} · `}
      {message.usage
        ? say('figures', {
            ...timing,
            input: formatCompact(message.usage.input),
            output: formatCompact(message.usage.output),
          })
        : say('timings', timing)}
    </span>
  )
}

const Body = ({ message }: { message: Message }) => {
  const say = usePlaygroundWords()
  return (
    <>
      {message.reasoning && (
        <details className={classes.reasoning}>
          <summary>{say('reasoning')}</summary>
          <Markdown text={message.reasoning} />
        </details>
      )}
      {message.images?.map((address, index) => (
        <img key={address} className={classes.picture} src={address} alt={say('imageOf', { number: index + 1 })} />
      ))}
      {message.status === 'loading' && (
        <span className="faint">
          <Loader size={14} type="dots" color="var(--ink-3)" /> {message.reasoning ? say('thinking') : say('writing')}
        </span>
      )}
      {message.status === 'error' ? (
        <div className={classes.failed}>
          <Icon name="warning" /> <strong className="strong">{say('failed')}</strong>
          <p>{message.content}</p>
        </div>
      ) : message.role === 'user' ? (
        <p className={classes.said}>{message.content}</p>
      ) : (
        <Markdown text={message.content} />
      )}
    </>
  )
}

export interface MessageViewProps {
  message: Message
  /** Examples and running answers have no tools. */
  tools?: { onRegenerate?: () => void; onEdit?: (text: string) => void; onRemove: () => void }
  note?: string
}

/** One message: who, what, and what can be done with it. */
export const MessageView = memo(({ message, tools, note }: MessageViewProps) => {
  const say = usePlaygroundWords()
  const ui = useUiWords()
  const { copy, dialog } = useCopy()
  const [editing, setEditing] = useState(false)
  const { onEdit, onRegenerate } = tools ?? {}
  return (
    <li className={classes.message} data-role={message.role}>
      <div className={classes.who}>
        {message.role === 'user' ? say('you') : say('assistant')}
        {note && <span className="faint"> · {note}</span>}
      </div>
      <div className={classes.body}>
        {editing && onEdit ? (
          <Editor
            text={message.content}
            onCancel={() => setEditing(false)}
            onSave={(text) => {
              setEditing(false)
              onEdit(text)
            }}
          />
        ) : (
          <Body message={message} />
        )}
      </div>
      {tools && !editing && (
        <div className={classes.tools}>
          <FiguresLine message={message} />
          <Tool label={ui('copy')} icon="copy" onClick={() => void copy(message.content, { secret: true })} />
          {onRegenerate && <Tool label={say('regenerate')} icon="refresh" onClick={onRegenerate} />}
          {onEdit && <Tool label={say('edit')} icon="edit" onClick={() => setEditing(true)} />}
          <Tool label={say('remove')} icon="trash" onClick={tools.onRemove} />
        </div>
      )}
      {dialog}
    </li>
  )
})
MessageView.displayName = 'MessageView'
