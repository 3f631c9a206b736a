import { ActionIcon, ActionIconGroup, Button, Switch, TextInput } from '@mantine/core'
import { useState } from 'react'
import { GroupTags } from '#web/components/display/group-tag.tsx'
import { Icon } from '#web/components/display/icon.tsx'
import { ConfirmAction } from '#web/components/form/confirm-action.tsx'
import { useHeld } from '#web/components/form/held.ts'
import { ScrollFrame } from '#web/components/scroll-frame.tsx'
import { EmptyState, ErrorState } from '#web/components/states.tsx'
import { calls, type VirtualModel } from '#web/lib/api/contract.ts'
import { useAction, useEndpoint } from '#web/lib/query.ts'
import { summaryOf } from './fields.ts'
import { useRouteMessages } from './messages.ts'
import classes from './routes.module.css'

interface RowProps {
  readonly model: VirtualModel
  readonly onEdit: () => void
  readonly onRemove: () => void
}

const Row = ({ model, onEdit, onRemove }: RowProps) => {
  const say = useRouteMessages()
  const held = useHeld()
  const change = useAction(calls.updateVirtualModel, { refresh: [calls.listVirtualModels] })
  const { id, changed_time: _, ...spec } = model
  const summary = summaryOf(model.steps)
  return (
    <tr data-row={id} className={model.enabled ? undefined : 'muted'}>
      <td>
        <button type="button" className={`text-button ${classes.name}`} onClick={onEdit}>
          {model.name}
        </button>
        {model.description !== '' && (
          <div className="faint cut" title={model.description}>
            {model.description}
          </div>
        )}
      </td>
      <td className={classes.targets} title={summary}>
        <span className="mono cut">{summary}</span>
      </td>
      <td className={`num ${classes.number}`}>{model.rules.length}</td>
      <td>{say(`price_${model.price}`)}</td>
      <td>{say(`choice_${model.choice}`)}</td>
      <td>{model.groups.length === 0 ? say('allGroups') : <GroupTags groups={model.groups.join()} />}</td>
      <td>
        <Switch
          aria-label={say('enable', { name: model.name })}
          checked={model.enabled}
          disabled={change.busy}
          {...held}
          onChange={(event) =>
            void change.run({ params: { id }, body: { ...spec, enabled: event.currentTarget.checked } })
          }
        />
      </td>
      <td>
        <ActionIconGroup>
          <ActionIcon variant="subtle" aria-label={`${say('edit')}: ${model.name}`} onClick={onEdit} {...held}>
            <Icon name="edit" size={16} />
          </ActionIcon>
          <ActionIcon variant="subtle" aria-label={`${say('delete')}: ${model.name}`} onClick={onRemove} {...held}>
            <Icon name="trash" size={16} />
          </ActionIcon>
        </ActionIconGroup>
      </td>
    </tr>
  )
}

const fits = ({ name, steps, rules }: VirtualModel, text: string): boolean => {
  const targets = [...steps, ...rules.flatMap((rule) => rule.steps)].flatMap((step) => step.targets)
  return [name, ...targets.map(({ model }) => model)].some((word) => word.toLowerCase().includes(text.toLowerCase()))
}

/** All virtual models, with a filter by name and target. */
export const RouteList = ({ onAdd, onEdit }: { onAdd: () => void; onEdit: (id: number) => void }) => {
  const say = useRouteMessages()
  const models = useEndpoint(calls.listVirtualModels)
  const held = useHeld()
  const [text, setText] = useState('')
  const [removed, setRemoved] = useState<VirtualModel>()
  const name = removed?.name ?? ''
  const remove = useAction(calls.deleteVirtualModel, {
    refresh: [calls.listVirtualModels],
    done: say('deleted', { name }),
  })
  if (models.error && !models.data) return <ErrorState error={models.error} onRetry={() => void models.refetch()} />
  if (models.data === undefined) return <div className={classes.waiting} aria-busy="true" data-waiting />
  if (models.data.length === 0) {
    const add = (
      <Button onClick={onAdd} {...held}>
        {say('add')}
      </Button>
    )
    return (
      <div className="panel">
        <EmptyState icon="branch" title={say('emptyTitle')} text={say('emptyText')} action={add} />
      </div>
    )
  }
  const shown = models.data.filter((model) => fits(model, text.trim()))
  return (
    <section className="panel" aria-label={say('listTab')}>
      <div className={classes.tools}>
        <TextInput
          type="search"
          aria-label={say('search')}
          placeholder={say('search')}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </div>
      {shown.length === 0 ? (
        <EmptyState icon="branch" title={say('noneFits')} />
      ) : (
        <ScrollFrame label={say('listTab')} className={classes.scroll}>
          <table className={classes.table}>
            <thead>
              <tr>
                <th>{say('name')}</th>
                <th>{say('targets')}</th>
                <th className={classes.number}>{say('rules')}</th>
                <th>{say('price')}</th>
                <th>{say('choice')}</th>
                <th>{say('groups')}</th>
                <th>{say('state')}</th>
                <th>{say('actions')}</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((model) => (
                <Row key={model.id} model={model} onEdit={() => onEdit(model.id)} onRemove={() => setRemoved(model)} />
              ))}
            </tbody>
          </table>
        </ScrollFrame>
      )}
      <ConfirmAction
        opened={removed !== undefined}
        onClose={() => setRemoved(undefined)}
        title={say('deleteTitle', { name })}
        effect={say('deleteEffect')}
        confirmLabel={say('delete')}
        danger
        onConfirm={() => removed && remove.submit({ params: { id: removed.id } })}
      />
    </section>
  )
}
