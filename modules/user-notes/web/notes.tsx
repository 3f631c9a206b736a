import { longestNote } from 'virtual:contract'
import { Button, Textarea } from '@mantine/core'
import { useState } from 'react'
import { Icon } from '#web/components/display/icon.tsx'
import { TimeText } from '#web/components/display/time/time-text.tsx'
import { UserLink } from '#web/components/display/user-link.tsx'
import { ConfirmAction } from '#web/components/form/confirm-action.tsx'
import { Failure } from '#web/components/form/failure.tsx'
import { UnsavedGuard } from '#web/components/form/unsaved-guard.tsx'
import type { ScreenPartProps } from '#web/components/parts/screen-part.ts'
import { ErrorState } from '#web/components/states.tsx'
import { calls, type UserNote } from '#web/lib/api/contract.ts'
import { useReadOnly } from '#web/lib/api/staff.ts'
import { useAction, useEndpoint } from '#web/lib/query.ts'
import { useNoteMessages } from './messages.ts'
import classes from './notes.module.css'

const shown = 100
const changed = [calls.listUserNotes, calls.listAudit] as const

type Place = Parameters<NonNullable<Parameters<typeof UnsavedGuard>[0]['loses']>>[0]

/** The field stands in one tab of the page. */
const leavesNote = (from: Place, to: Place): boolean =>
  from.pathname !== to.pathname || from.search.tab !== to.search.tab

const NoteForm = ({ userId }: { userId: number }) => {
  const say = useNoteMessages()
  const [text, setText] = useState('')
  const add = useAction(calls.addUserNote, { refresh: changed, done: say('added'), onDone: () => setText('') })
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        // Its failure stands beside the button.
        void add.submit({ params: { id: userId }, body: { text } }).catch(() => undefined)
      }}
    >
      <Textarea
        aria-label={say('text')}
        placeholder={say('hint')}
        value={text}
        maxLength={longestNote}
        autosize
        minRows={1}
        maxRows={8}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit" loading={add.busy} disabled={text.trim() === ''}>
        {say('add')}
      </Button>
      {add.error && <Failure error={add.error} />}
      <UnsavedGuard dirty={text.trim() !== ''} loses={leavesNote} />
    </form>
  )
}

/** Notes of operators about the user, and a field for more. The user never sees them. */
export const Notes = ({ about = '' }: ScreenPartProps) => {
  const userId = Number(about)
  const say = useNoteMessages()
  const isReadOnly = useReadOnly()
  const [asked, setAsked] = useState<UserNote>()
  const notes = useEndpoint(
    calls.listUserNotes,
    { params: { id: userId }, query: { page_size: shown } },
    { staleTimeMs: 0 },
  )
  const remove = useAction(calls.deleteUserNote, { refresh: changed, done: say('deleted') })
  const { data, error } = notes
  return (
    <section className={`panel ${classes.panel}`}>
      <h2>{say('title')}</h2>
      {!isReadOnly && <NoteForm userId={userId} />}
      {error && <ErrorState error={error} onRetry={() => void notes.refetch()} />}
      {data?.items.length === 0 && <p className="faint">{say('empty')}</p>}
      {data && data.items.length > 0 && (
        <ul className={classes.notes}>
          {data.items.map((note) => (
            <li key={note.id}>
              <p>{note.text}</p>
              <div className={classes.foot}>
                <UserLink id={note.author_id} name={note.author_name} />
                <TimeText at={note.created_time} />
                {!isReadOnly && (
                  <button
                    type="button"
                    className="text-button"
                    aria-label={say('delete')}
                    onClick={() => setAsked(note)}
                  >
                    <Icon name="trash" size={14} />
                  </button>
                )}
              </div>
            </li>
          ))}
        </ul>
      )}
      <ConfirmAction
        opened={asked !== undefined}
        onClose={() => setAsked(undefined)}
        title={say('deleteTitle')}
        effect={say('deleteEffect')}
        confirmLabel={say('delete')}
        onConfirm={() => remove.submit({ params: { id: userId, note: asked?.id ?? 0 } })}
        danger
      />
    </section>
  )
}
