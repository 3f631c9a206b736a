import { Button } from '@mantine/core'
import { useState } from 'react'
import { chosenRows } from '../../components/batch/chosen.ts'
import { Icon } from '../../components/display/icon.tsx'
import { ConfirmAction } from '../../components/form/confirm-action.tsx'
import { Menu } from '../../components/menu/menu.tsx'
import type { MenuEntry } from '../../components/menu/menu-entry.ts'
import { useUiMessages } from '../../components/messages.ts'
import { type Channel, calls } from '../../lib/api/contract.ts'
import { useReadOnly } from '../../lib/api/staff.ts'
import { notifyFailure } from '../../lib/notify.tsx'
import { useAction } from '../../lib/query.ts'
import type { BulkChannels } from './bulk/bulk.tsx'
import { useJobMessages } from './bulk/job-messages.ts'
import type { ChannelJobsView } from './bulk/jobs-strip.tsx'
import type { RemoveChannels } from './bulk/remove.tsx'
import { useChannelMessages } from './messages.ts'

interface ToolsProps {
  idSort: boolean
  onIdSort: (on: boolean) => void
  tagMode: boolean
  onTagMode: (on: boolean) => void
  selected: readonly Channel[]
  /** Selects none. */
  onClear: () => void
  bulk: BulkChannels
  remove: RemoveChannels
  jobs: ChannelJobsView
}

/** Order by id, grouping by tag, and actions on several channels. */
export const ChannelTools = (props: ToolsProps) => {
  const say = useChannelMessages()
  const sayJob = useJobMessages()
  const sayUi = useUiMessages()
  const isReadOnly = useReadOnly()
  const { selected, jobs } = props
  const [fixing, setFixing] = useState(false)
  const fix = useAction(calls.fixChannels, {
    refresh: [calls.browseChannels, calls.searchChannels],
    done: (count) => sayJob('fixed', { count }),
  })
  const withSelection = (problem: 'selectForTag' | 'selectForDelete', act: () => void) => () =>
    selected.length === 0 ? notifyFailure(say(problem)) : act()
  const changes = (): MenuEntry[] => [
    {
      label: say('setTag'),
      onClick: withSelection('selectForTag', () =>
        props.bulk.ask(
          'tag',
          chosenRows(
            selected,
            () => undefined,
            ({ name }) => name,
          ),
        ),
      ),
    },
    {
      label: say('deleteSelected'),
      onClick: withSelection('selectForDelete', () => props.remove.rows(selected, props.onClear)),
    },
    {
      label: sayJob('testAll'),
      apart: true,
      disabled: jobs.isRunning('test'),
      onClick: () => jobs.ask('test'),
    },
    { label: sayJob('balanceAll'), disabled: jobs.isRunning('balance'), onClick: () => jobs.ask('balance') },
    { label: say('deleteDisabled'), onClick: () => void props.remove.disabled() },
    { label: sayJob('fix'), onClick: () => setFixing(true) },
  ]
  return (
    <>
      <Button
        variant={props.tagMode ? 'light' : 'subtle'}
        aria-pressed={props.tagMode}
        title={say('tagModeHint')}
        onClick={() => props.onTagMode(!props.tagMode)}
      >
        {say('tagMode')}
      </Button>
      {!props.tagMode && (
        <Menu
          button={(buttonProps) => (
            <Button variant="subtle" rightSection={<Icon name="down" size={12} />} {...buttonProps}>
              {say('batch')}
            </Button>
          )}
          entries={() => [
            { label: say('idSort'), checked: props.idSort, onClick: () => props.onIdSort(!props.idSort) },
            ...changes().map((entry) => (isReadOnly ? { ...entry, disabled: true, hint: sayUi('readOnly') } : entry)),
          ]}
        />
      )}
      <ConfirmAction
        opened={fixing}
        onClose={() => setFixing(false)}
        title={sayJob('fixTitle')}
        effect={sayJob('fixEffect')}
        confirmLabel={sayJob('fixConfirm')}
        onConfirm={() => fix.submit()}
      />
    </>
  )
}
