import { Button, Checkbox, Group, Modal, TextInput } from '@mantine/core'
import { longestViewName } from '@tollgate/contract/accounts/account-rules'
import { type FormEvent, useState } from 'react'
import type { TableViews } from '../../components/data-table/views/table-views.ts'
import { useAction } from '../../lib/query.ts'
import classes from './explore.module.css'
import { useExploreMessages } from './messages.ts'

/** Asks for the name of a board, and who sees it. */
export const BoardDialog = (props: { boards: TableViews; isAdmin: boolean; onClose: () => void }) => {
  const say = useExploreMessages()
  const { boards } = props
  const [name, setName] = useState(boards.current?.kind === 'own' ? boards.current.name : '')
  const [shared, setShared] = useState(false)
  const trimmed = name.trim()
  const save = useAction(boards.save, {
    done: (_, savedName) => say('saved', { name: savedName }),
    onDone: props.onClose,
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (trimmed !== '') void save.run(trimmed, { layout: false, shared })
  }
  return (
    <Modal
      opened
      onClose={props.onClose}
      title={<strong className="strong">{say('saveBoard')}</strong>}
      closeButtonProps={{ 'aria-label': say('close') }}
    >
      <form className={classes.boardForm} onSubmit={submit}>
        <TextInput
          label={say('boardName')}
          description={say('boardHint')}
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
        <Group justify="flex-end">
          <Button type="submit" variant="filled" loading={save.busy} disabled={trimmed === ''}>
            {say('save')}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
