import { ActionIcon, Button, Checkbox, Group, Modal, Switch, TextInput } from '@mantine/core'
import { longestViewName } from '@tollgate/contract/accounts/account-rules'
import { type FormEvent, useState } from 'react'
import { useIsStaff } from '../../../lib/api/staff.ts'
import { useAction } from '../../../lib/query.ts'
import { Icon } from '../../display/icon.tsx'
import type { KnownView, TableViews } from './table-views.ts'
import { useViewMessages } from './view-messages.ts'
import classes from './views.module.css'

const SaveForm = ({ views, isAdmin }: { views: TableViews; isAdmin: boolean }) => {
  const say = useViewMessages()
  const [name, setName] = useState('')
  const [layout, setLayout] = useState(true)
  const [shared, setShared] = useState(false)
  const trimmed = name.trim()
  const save = useAction(views.save, {
    done: (_, savedName) => say('saved', { name: savedName }),
    onDone: () => {
      setName('')
      setShared(false)
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (trimmed !== '') void save.run(trimmed, { layout, shared })
  }
  return (
    <form className={classes.form} onSubmit={submit}>
      <TextInput
        label={say('name')}
        description={say('nameHint')}
        maxLength={longestViewName}
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Checkbox
        size="xs"
        label={say('withColumns')}
        checked={layout}
        onChange={(event) => setLayout(event.currentTarget.checked)}
      />
      {isAdmin && (
        <Checkbox
          size="xs"
          label={say('share')}
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
  )
}

const ViewLine = ({ view, views, removable }: { view: KnownView; views: TableViews; removable: boolean }) => {
  const say = useViewMessages()
  const { name } = view
  const isDefault = views.defaultId === view.id
  const remove = useAction(views.remove)
  return (
    <li className={classes.line}>
      <span className={`cut ${classes.name}`}>{name}</span>
      <span className="faint">{say(`kind_${view.kind}`)}</span>
      <Switch
        size="xs"
        label={say('defaultMark')}
        aria-label={say('isDefault', { name })}
        checked={isDefault}
        onChange={() => views.setDefault(isDefault ? undefined : view.id)}
      />
      {removable ? (
        <ActionIcon
          size={28}
          aria-label={say(view.kind === 'shared' ? 'removeShared' : 'remove', { name })}
          onClick={() => void remove.run(view)}
        >
          <Icon name="trash" size={14} />
        </ActionIcon>
      ) : (
        <span className={classes.noAction} />
      )}
    </li>
  )
}

/** Saves the shown filters as a view, chooses the table's default view, and deletes views. */
export const ViewsDialog = ({ views, onClose }: { views: TableViews; onClose: () => void }) => {
  const say = useViewMessages()
  const isAdmin = useIsStaff('logs')
  return (
    <Modal
      opened
      onClose={onClose}
      title={<strong className="strong">{say('title')}</strong>}
      closeButtonProps={{ 'aria-label': say('close') }}
    >
      <SaveForm views={views} isAdmin={isAdmin} />
      {views.all.length === 0 ? (
        <p className="muted">{say('none')}</p>
      ) : (
        <ul className={classes.list}>
          {views.all.map((view) => (
            <ViewLine
              key={view.id}
              view={view}
              views={views}
              removable={view.kind === 'own' || (view.kind === 'shared' && isAdmin)}
            />
          ))}
        </ul>
      )}
    </Modal>
  )
}
