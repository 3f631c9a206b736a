import { useLayoutEffect, useRef } from 'react'
import type { CallKind } from '../calls/call-kinds.ts'
import callClasses from '../calls/calls.module.css'
import { usePlaygroundMessages } from '../messages.ts'
import { useModels } from '../models.ts'
import type { Chat, ChatState } from './chat.ts'
import classes from './conversation.module.css'
import { type Turn, turnsOf } from './conversation.ts'
import { MessageView } from './message-view.tsx'

/** Closer to the end than this, the view follows a growing answer. */
const followPx = 80

/** Before the first question: what the model makes of a text. */
const Greeting = ({ kind, model }: { kind: CallKind; model: string }) => {
  const say = usePlaygroundMessages()
  const { names } = useModels()
  if (names?.length === 0) return <li className={`muted ${callClasses.hint}`}>{say('noneOffered')}</li>
  return <li className={`muted ${callClasses.hint}`}>{say(`hint_${kind}`, { model })}</li>
}

const TurnView = ({ turn, chat, busy }: { turn: Turn; chat: Chat; busy: boolean }) => {
  const { message, beside, version, versions } = turn
  if (beside.length === 1)
    return <MessageView message={message} chat={chat} busy={busy} version={version} versions={versions} />
  return (
    <li>
      <ul className={classes.beside}>
        {beside.map((each) => (
          <MessageView
            key={each.id}
            message={each}
            chat={chat}
            busy={busy}
            version={version}
            versions={versions}
            followed={each.id === message.id}
          />
        ))}
      </ul>
    </li>
  )
}

/** The path of the conversation that is followed; stays at its end unless the person has scrolled up. */
export const ConversationView = ({ chat, state, kind }: { chat: Chat; state: ChatState; kind: CallKind }) => {
  const say = usePlaygroundMessages()
  const frame = useRef<HTMLDivElement>(null)
  const follows = useRef(true)
  const turns = turnsOf(state.conversation)
  const isWide = turns.some(({ beside }) => beside.length > 1)
  // The scroll position.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the conversation is what makes the content grow
  useLayoutEffect(() => {
    const element = frame.current
    if (element && follows.current) element.scrollTop = element.scrollHeight
  }, [state.conversation])
  return (
    <div
      ref={frame}
      className={classes.scroll}
      role="log"
      aria-label={say('log')}
      aria-busy={state.busy || !state.ready}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling frame must be reachable by keyboard
      tabIndex={0}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        follows.current = scrollHeight - scrollTop - clientHeight < followPx
      }}
    >
      <ol className={classes.messages} data-wide={isWide || undefined}>
        {state.ready && turns.length === 0 && <Greeting kind={kind} model={state.settings.model} />}
        {turns.map((turn) => (
          <TurnView key={turn.beside[0]?.id ?? turn.message.id} turn={turn} chat={chat} busy={state.busy} />
        ))}
      </ol>
    </div>
  )
}
