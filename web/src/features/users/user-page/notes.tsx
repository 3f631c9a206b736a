import { Button, Textarea } from '@mantine/core'
import { useState } from 'react'
import { Icon } from '../../../components/display/icon.tsx'
import { TimeText } from '../../../components/display/time/time-text.tsx'
import { UserLink } from '../../../components/display/user-link.tsx'
import { ConfirmAction } from '../../../components/form/confirm-action.tsx'
import { Failure } from '../../../components/form/failure.tsx'
import { UnsavedGuard } from '../../../components/form/unsaved-guard.tsx'
import { ErrorState } from '../../../components/states.tsx'
import { calls, longestNote, type User, type UserNote } from '../../../lib/api/contract.ts'
import { useReadOnly } from '../../../lib/api/staff.ts'
import { useAction, useEndpoint } from '../../../lib/query.ts'
import { useUserPageMessages } from './messages.ts'
import classes from './user-page.module.css'

const shown = 100
const changed = [calls.listUserNotes, calls.listAudit] as const

type Place = Parameters<NonNullable<Parameters<typeof UnsavedGuard>[0]['loses']>>[0]

/** The field stands in one tab of the page. */
const leavesNote = (from: Place, to: Place): boolean =>
  from.pathname !== to.pathname || from.search.tab !== to.search.tab

const NoteForm = ({ user }: { user: User }) => {
  const say = useUserPageMessages()
  const [text, setText] = useState('')
  const add = useAction(calls.addUserNote, { refresh: changed, done: say('noteAdded'), onDone: () => setText('') })
  return (
    <form
      className={classes.noteForm}
      onSubmit={(event) => {
        event.preventDefault()
        // Its failure stands beside the button.
        void add.submit({ params: { id: user.id }, body: { text } }).catch(() => undefined)
      }}
    >
      <Textarea
        aria-label={say('noteText')}
        placeholder={say('noteHint')}
        value={text}
        maxLength={longestNote}
        autosize
        minRows={1}
        maxRows={8}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit" loading={add.busy} disabled={text.trim() === ''}>
        {say('noteAdd')}
      </Button>
      {add.error && <Failure error={add.error} />}
      <UnsavedGuard dirty={text.trim() !== ''} loses={leavesNote} />
    </form>
  )
}

/** Notes of operators about the user, and a field for more. The user never sees them. */
export const Notes = ({ user }: { user: User }) => {
  const say = useUserPageMessages()
  const isReadOnly = useReadOnly()
  const [asked, setAsked] = useState<UserNote>()
  const notes = useEndpoint(
    calls.listUserNotes,
    { params: { id: user.id }, query: { page_size: shown } },
    { staleTimeMs: 0 },
  )
  const remove = useAction(calls.deleteUserNote, { refresh: changed, done: say('noteDeleted') })
  const { data, error } = notes
  return (
    <section className={`panel ${classes.facts}`}>
      <h2>{say('notes')}</h2>
      {!isReadOnly && <NoteForm user={user} />}
      {error && <ErrorState error={error} onRetry={() => void notes.refetch()} />}
      {data?.items.length === 0 && <p className="faint">{say('notesEmpty')}</p>}
      {data && data.items.length > 0 && (
        <ul className={classes.notes}>
          {data.items.map((note) => (
            <li key={note.id}>
              <p>{note.text}</p>
              <div className={classes.noteFoot}>
                <UserLink id={note.author_id} name={note.author_name} />
                <TimeText at={note.created_time} />
                {!isReadOnly && (
                  <button
                    type="button"
                    className="text-button"
                    aria-label={say('noteDelete')}
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
        title={say('noteDeleteTitle')}
        effect={say('noteDeleteEffect')}
        confirmLabel={say('noteDelete')}
        onConfirm={() => remove.submit({ params: { id: user.id, note: asked?.id ?? 0 } })}
        danger
      />
    </section>
  )
}
