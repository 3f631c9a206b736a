import { Button } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { Column, RowAction } from '../../../components/data-table/columns/column.ts'
import { DataTable } from '../../../components/data-table/data-table.tsx'
import { Icon } from '../../../components/display/icon.tsx'
import { Quota } from '../../../components/display/quota.tsx'
import { StatusBadge } from '../../../components/display/status-badge.tsx'
import { TimeText } from '../../../components/display/time/time-text.tsx'
import { ConfirmAction } from '../../../components/form/confirm-action.tsx'
import { calls, type Organisation, type ProjectKey, tokenStatus } from '../../../lib/api/contract.ts'
import { useSession } from '../../../lib/api/session.ts'
import { useAction, useEndpoint } from '../../../lib/query.ts'
import { listTags } from '../../../lib/text/cost-tags.ts'
import { useTableState } from '../../../lib/url/table-state.ts'
import { MoveKeyForm } from '../forms/move-key.tsx'
import { type SayOrganisation, useOrganisationMessages } from '../messages.ts'
import { projectsToMoveTo, usableProjects } from '../rights.ts'
import { keywordOnly, pageOfRows } from '../use-rows.ts'
import { useSheet } from './sheet.ts'

const tagsText = ({ tags }: ProjectKey): string => listTags(tags).join(', ')

const columnsOf = ({ projects, members }: Organisation, say: SayOrganisation): readonly Column<ProjectKey>[] => {
  const projectName = (id: number): string => projects.find((one) => one.id === id)?.name ?? ''
  const holderName = (id: number): string => {
    const member = members.find(({ user_id }) => user_id === id)
    return id === 0 ? say('machine') : member?.display_name || member?.username || ''
  }
  return [
    {
      id: 'name',
      header: say('name'),
      card: 'title',
      most: 200,
      cell: (key) => (
        <>
          <span className="strong">{key.name}</span>{' '}
          {key.shared && key.member_id === 0 && (
            <StatusBadge tone="warn" label={say('makerLeft')} hint={say('makerLeftText')} />
          )}
        </>
      ),
      value: (key) => key.name,
    },
    {
      id: 'status',
      header: say('status'),
      card: 'title',
      cell: ({ status }) => (
        <StatusBadge
          tone={status === tokenStatus.enabled ? 'good' : 'neutral'}
          label={say(status === tokenStatus.enabled ? 'enabled' : 'disabled')}
        />
      ),
      value: ({ status }) => say(status === tokenStatus.enabled ? 'enabled' : 'disabled'),
    },
    { id: 'key', header: say('key'), card: 'none', cell: ({ key }) => <span className="mono">sk-{key}</span> },
    {
      id: 'project',
      header: say('project'),
      most: 200,
      cell: ({ project_id }) => projectName(project_id),
      value: ({ project_id }) => projectName(project_id),
    },
    {
      id: 'holder',
      header: say('holder'),
      most: 160,
      cell: ({ member_id }) => holderName(member_id),
      value: ({ member_id }) => holderName(member_id),
    },
    { id: 'tags', header: say('tags'), card: 'none', most: 200, cell: (key) => tagsText(key) || '—', value: tagsText },
    {
      id: 'used_quota',
      header: say('used'),
      align: 'right',
      card: 'amount',
      cell: (key) => <Quota value={key.used_quota} />,
      value: (key) => key.used_quota,
      money: true,
      sum: true,
    },
    {
      id: 'accessed_time',
      header: say('lastUsed'),
      card: 'none',
      cell: (key) => <TimeText at={key.accessed_time} brief />,
      value: (key) => key.accessed_time,
    },
  ]
}

/** Keys of projects: own ones, and all of them for who manages keys. */
export const Keys = ({ organisation }: { organisation: Organisation }) => {
  const say = useOrganisationMessages()
  const sheet = useSheet()
  const state = useTableState({ name: 'organisation-keys', filters: keywordOnly })
  const [deleting, setDeleting] = useState<ProjectKey>()
  const [moving, setMoving] = useState<ProjectKey>()
  const own = useSession()?.id ?? 0
  const { id, projects } = organisation
  const keys = useEndpoint(calls.listProjectKeys, { params: { id } }, { staleTimeMs: 5000 })
  const columns = useMemo(() => columnsOf(organisation, say), [organisation, say])
  const refresh = [calls.listProjectKeys, calls.getOrganisation]
  const change = useAction(calls.changeProjectKey, {
    refresh,
    done: (_, { body }) =>
      say(body.deleted ? 'deleted' : body.status === tokenStatus.enabled ? 'enabledDone' : 'disabledDone'),
  })
  const actions = (key: ProjectKey): readonly RowAction[] => {
    const isOn = key.status === tokenStatus.enabled
    const status = isOn ? tokenStatus.disabled : tokenStatus.enabled
    return [
      {
        label: say(isOn ? 'disable' : 'enable'),
        icon: isOn ? 'stop' : 'check',
        onClick: () => void change.run({ params: { id }, body: { key_id: key.id, status } }),
      },
      ...(projectsToMoveTo(organisation, own, key).length > 0
        ? [{ label: say('move'), icon: 'right' as const, onClick: () => setMoving(key) }]
        : []),
      { label: say('delete'), icon: 'trash', danger: true, onClick: () => setDeleting(key) },
    ]
  }
  const canAdd = usableProjects(organisation, own).length > 0
  const add = canAdd && (
    <Button variant="filled" leftSection={<Icon name="plus" size={14} />} onClick={() => sheet.open('key')}>
      {say('addKey')}
    </Button>
  )
  return (
    <>
      <DataTable
        title={say('keys')}
        columns={columns}
        query={pageOfRows(keys, keys.data, state, (key) => `${key.name} ${tagsText(key)}`)}
        state={state}
        rowId={(key) => key.id}
        rowName={({ name }) => name}
        quiet={({ status }) => status !== tokenStatus.enabled}
        search={{ filter: 'keyword', placeholder: say('searchKeys') }}
        rowActions={actions}
        readRows={async () => ({ rows: keys.data ?? [], capped: false })}
        tools={add}
        empty={{
          icon: 'key',
          title: say('keysEmpty'),
          text: projects.length === 0 ? say('noProject') : say('keysEmptyText'),
        }}
      />
      {moving && (
        <MoveKeyForm
          organisation={organisation}
          moved={moving}
          projects={projectsToMoveTo(organisation, own, moving)}
          onClose={() => setMoving(undefined)}
        />
      )}
      <ConfirmAction
        opened={deleting !== undefined}
        onClose={() => setDeleting(undefined)}
        title={say('deleteKeyTitle', { name: deleting?.name ?? '' })}
        effect={say('deleteKeyEffect')}
        confirmLabel={say('delete')}
        onConfirm={() => deleting && change.submit({ params: { id }, body: { key_id: deleting.id, deleted: true } })}
        danger
      />
    </>
  )
}
