import { Button, Checkbox, Group, Modal, TextInput } from '@mantine/core'
import { longestViewName } from '@tollgate/contract/accounts/account-rules'
import { type FormEvent, useState } from 'react'
import type { KnownView, TableViews } from '#web/components/data-table/views/table-views.ts'
import { Failure } from '#web/components/form/failure.tsx'
import { useAction } from '#web/lib/query.ts'
import classes from './question/explore.module.css'
import { useExploreMessages } from './question/messages.ts'

/** Asks for the name of a board, and who sees it: of a new one, or of one that is there. */
export const BoardDialog = (props: {
  boards: TableViews
  board?: KnownView
  isAdmin: boolean
  onClose: () => void
}) => {
  const say = useExploreMessages()
  const { boards, board } = props
  const [name, setName] = useState(board?.name ?? '')
  const [shared, setShared] = useState(board?.kind === 'shared')
  const trimmed = name.trim()
  const keep = (savedName: string): Promise<void> =>
    board === undefined
      ? boards.save(savedName, { layout: false, shared })
      : boards.edit(board, { name: savedName, shared, asShown: false })
  const save = useAction(keep, { done: (_, savedName) => say('saved', { name: savedName }), onDone: props.onClose })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (trimmed !== '') void save.submit(trimmed).catch(() => undefined)
  }
  return (
    <Modal
      opened
      onClose={props.onClose}
      title={<strong className="strong">{say(board ? 'renameBoard' : 'saveBoard')}</strong>}
      closeButtonProps={{ 'aria-label': say('close') }}
    >
      <form className={classes.boardForm} onSubmit={submit}>
        <TextInput
          label={say('boardName')}
          description={board ? undefined : say('boardHint')}
          maxLength={longestViewName}
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {props.isAdmin && (
          <Checkbox
            size="xs"
            label={say('shareBoard')}
            checked={shared}
            onChange={(event) => setShared(event.currentTarget.checked)}
          />
        )}
        {save.error && <Failure error={save.error} />}
        <Group justify="flex-end">
          <Button type="submit" variant="filled" loading={save.busy} disabled={trimmed === ''}>
            {say('save')}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
