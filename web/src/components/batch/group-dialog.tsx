import { Button, Checkbox, Group, Modal, Radio } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useUiMessages } from '../messages.ts'
import classes from './batch.module.css'
import { type Chosen, countText } from './chosen.ts'
import { useBatchMessages } from './messages.ts'

interface GroupDialogProps {
  /** The objects whose group changes. */
  chosen: Chosen
  groups: readonly string[]
  /** Several can be chosen. */
  several?: boolean
  /** The meaning of "no group", where that can be chosen. */
  noneLabel?: string
  onClose: () => void
  /** Comma separated where there are several; empty for none. */
  onApply: (group: string) => void
}

const look = { classNames: { body: classes.tickBody ?? '' } }

/** Asks for the group, or groups, that the chosen rows get in place of their own. */
export const GroupDialog = ({ chosen, groups, several = false, noneLabel, onClose, onApply }: GroupDialogProps) => {
  const say = useBatchMessages()
  const ui = useUiMessages()
  const [picked, setPicked] = useState<readonly string[]>()
  const [isMissing, setMissing] = useState(false)
  const apply = (event: FormEvent): void => {
    event.preventDefault()
    if (picked === undefined || (several && picked.length === 0)) setMissing(true)
    else onApply(picked.join(','))
  }
  const tick = (name: string, on: boolean): void => {
    const others = (picked ?? []).filter((other) => other !== name)
    setPicked(on ? [...others, name] : others)
  }
  return (
    <Modal
      opened
      onClose={onClose}
      closeButtonProps={{ 'aria-label': ui('close') }}
      title={<strong className="strong">{say('groupTitle')}</strong>}
    >
      <form onSubmit={apply} noValidate>
        <p className="muted">{say('groupHint', { count: countText(chosen) })}</p>
        <fieldset className={classes.groups} aria-label={say('groupTitle')}>
          {noneLabel && <Radio name="group" label={noneLabel} {...look} onChange={() => setPicked([])} />}
          {groups.map((name) =>
            several ? (
              <Checkbox
                key={name}
                label={name}
                {...look}
                onChange={(event) => tick(name, event.currentTarget.checked)}
              />
            ) : (
              <Radio key={name} name="group" label={name} {...look} onChange={() => setPicked([name])} />
            ),
          )}
        </fieldset>
        {isMissing && !picked?.length && (
          <p className={classes.missing} role="alert">
            {say('groupMissing')}
          </p>
        )}
        <Group justify="flex-end" mt="lg" gap={8}>
          <Button onClick={onClose}>{ui('cancel')}</Button>
          <Button type="submit" variant="filled">
            {say('apply')}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
