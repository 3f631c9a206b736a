import { ActionIcon, Button } from '@mantine/core'
import { useState } from 'react'
import { Icon } from '../../../components/display/icon.tsx'
import { TimeText } from '../../../components/display/time/time-text.tsx'
import { ConfirmAction } from '../../../components/form/confirm-action.tsx'
import { EmptyState } from '../../../components/states.tsx'
import { usePlaygroundMessages } from '../messages.ts'
import type { Chat, ChatState } from './chat.ts'
import classes from './conversation.module.css'
import type { ConversationSummary } from './conversation.ts'
import { mostConversations } from './history.ts'

/** The conversations that are kept in this browser. */
export const HistoryPanel = ({ chat, state, onOpen }: { chat: Chat; state: ChatState; onOpen: () => void }) => {
  const say = usePlaygroundMessages()
  const [removing, setRemoving] = useState<ConversationSummary | 'all'>()
  const { summaries } = state
  const titleOf = ({ title }: ConversationSummary): string => title || say('untitled')
  return (
    <div className={classes.history}>
      <Button
        leftSection={<Icon name="plus" size={14} />}
        onClick={() => {
          chat.clear()
          onOpen()
        }}
      >
        {say('newChat')}
      </Button>
      {summaries.length === 0 ? (
        <EmptyState title={say('noHistory')} text={say('noHistoryText', { count: mostConversations })} />
      ) : (
        <>
          <ul>
            {summaries.map((summary) => (
              <li key={summary.id} data-on={summary.id === state.conversation.id || undefined}>
                <button
                  type="button"
                  aria-current={summary.id === state.conversation.id}
                  onClick={() => {
                    void chat.open(summary.id)
                    onOpen()
                  }}
                >
                  <span className="cut">{titleOf(summary)}</span>
                  <TimeText at={Math.floor(summary.updateAt / 1000)} />
                </button>
                <ActionIcon
                  size={28}
                  aria-label={say('removeChat', { title: titleOf(summary) })}
                  onClick={() => setRemoving(summary)}
                >
                  <Icon name="trash" size={14} />
                </ActionIcon>
              </li>
            ))}
          </ul>
          <p className="faint">{say('noHistoryText', { count: mostConversations })}</p>
          <button type="button" className="text-button" onClick={() => setRemoving('all')}>
            {say('removeAll')}
          </button>
        </>
      )}
      {removing && (
        <ConfirmAction
          opened
          danger
          onClose={() => setRemoving(undefined)}
          title={removing === 'all' ? say('removeAll') : say('removeChat', { title: titleOf(removing) })}
          effect={removing === 'all' ? say('removeAllEffect', { count: summaries.length }) : say('removeChatEffect')}
          confirmLabel={say('remove')}
          onConfirm={() => (removing === 'all' ? chat.forgetAll() : chat.forget(removing.id))}
        />
      )}
    </div>
  )
}
