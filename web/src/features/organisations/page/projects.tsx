import { Button } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { Column, RowAction } from '../../../components/data-table/columns/column.ts'
import { DataTable } from '../../../components/data-table/data-table.tsx'
import { RowMenu } from '../../../components/data-table/rows/row-menu.tsx'
import { Icon } from '../../../components/display/icon.tsx'
import { Quota } from '../../../components/display/quota.tsx'
import { ConfirmAction } from '../../../components/form/confirm-action.tsx'
import { calls, type Organisation, type OrganisationProject, type OrganisationTeam } from '../../../lib/api/contract.ts'
import { useAction } from '../../../lib/query.ts'
import { formatInteger } from '../../../lib/text/format.ts'
import { useTableState } from '../../../lib/url/table-state.ts'
import { CapCell } from '../cap-cell.tsx'
import { type SayOrganisation, useOrganisationMessages } from '../messages.ts'
import shared from '../organisations.module.css'
import { keywordOnly, pageOfRows } from '../use-rows.ts'
import classes from './lists.module.css'
import { useSheet } from './sheet.ts'

const columnsOf = (
  teams: readonly OrganisationTeam[],
  say: SayOrganisation,
): readonly Column<OrganisationProject>[] => {
  const teamName = (id: number): string => teams.find((team) => team.id === id)?.name ?? ''
  return [
    {
      id: 'name',
      header: say('project'),
      card: 'title',
      most: 260,
      cell: (project) => <span className="strong">{project.name}</span>,
      value: (project) => project.name,
    },
    {
      id: 'team',
      header: say('team'),
      most: 200,
      cell: ({ team_id }) => teamName(team_id),
      value: ({ team_id }) => teamName(team_id),
    },
    {
      id: 'models',
      header: say('models'),
      card: 'none',
      most: 240,
      cell: ({ models }) => models.join(', ') || <span className="faint">{say('allModels')}</span>,
      value: ({ models }) => models.join(', '),
    },
    {
      id: 'keys',
      header: say('keys'),
      align: 'right',
      card: 'none',
      cell: ({ keys }) => <span className="num">{formatInteger(keys)}</span>,
      value: ({ keys }) => keys,
    },
    {
      id: 'spent',
      header: say('spentMonth'),
      align: 'right',
      card: 'amount',
      cell: ({ spent }) => (spent === null ? '—' : <Quota value={spent} />),
      value: ({ spent }) => spent,
      money: true,
      sum: true,
    },
    {
      id: 'cap',
      header: say('cap'),
      // Readers who may not see a project's spending do not see the cap either.
      cell: ({ cap, spent }) => (spent === null ? '—' : <CapCell cap={cap} />),
      value: ({ cap }) => cap?.amount ?? null,
    },
  ]
}

type Archived = { readonly team: OrganisationTeam } | { readonly project: OrganisationProject }

/** Teams and their projects. */
export const Projects = ({ organisation }: { organisation: Organisation }) => {
  const say = useOrganisationMessages()
  const sheet = useSheet()
  const state = useTableState({ name: 'organisation-projects', filters: keywordOnly })
  const [archiving, setArchiving] = useState<Archived>()
  const { id, may, teams, projects } = organisation
  const columns = useMemo(() => columnsOf(teams, say), [teams, say])
  const refresh = [calls.getOrganisation]
  const saveTeam = useAction(calls.saveTeam, { done: say('archived'), refresh })
  const saveProject = useAction(calls.saveProject, { done: say('archived'), refresh })
  const manages = may.includes('manage_projects')
  const archive = (): Promise<unknown> | undefined => {
    if (archiving === undefined) return undefined
    if ('team' in archiving) {
      const { id: team_id, name, models } = archiving.team
      return saveTeam.submit({ params: { id }, body: { team_id, name, models, archived: true } })
    }
    const { id: project_id, team_id, name, models } = archiving.project
    return saveProject.submit({ params: { id }, body: { project_id, team_id, name, models, archived: true } })
  }
  const actions = (project: OrganisationProject): readonly RowAction[] => [
    ...(manages
      ? [{ label: say('edit'), icon: 'edit' as const, onClick: () => sheet.open(`project-project-${project.id}`) }]
      : []),
    ...(may.includes('manage_caps')
      ? [{ label: say('setCap'), icon: 'sliders' as const, onClick: () => sheet.open(`cap-project-${project.id}`) }]
      : []),
    ...(manages
      ? [{ label: say('archive'), icon: 'trash' as const, danger: true, onClick: () => setArchiving({ project }) }]
      : []),
  ]
  const source = { isPending: false, isPlaceholderData: false, error: null, refetch: () => undefined as never }
  return (
    <div className={classes.panels}>
      <section className="panel" aria-label={say('teams')}>
        <div className={shared.panelHead}>
          <h2>{say('teams')}</h2>
          {manages && (
            <Button size="compact-sm" leftSection={<Icon name="plus" size={14} />} onClick={() => sheet.open('team')}>
              {say('addTeam')}
            </Button>
          )}
        </div>
        <ul className={classes.rows}>
          {teams.map((team) => (
            <li key={team.id}>
              <span>
                <span className="strong">{team.name}</span>{' '}
                <span className="faint">{team.models.join(', ') || say('allModels')}</span>
              </span>
              {manages && (
                <RowMenu
                  name={team.name}
                  actions={() => [
                    { label: say('edit'), icon: 'edit', onClick: () => sheet.open(`team-member-${team.id}`) },
                    { label: say('archive'), icon: 'trash', danger: true, onClick: () => setArchiving({ team }) },
                  ]}
                />
              )}
            </li>
          ))}
        </ul>
      </section>
      <DataTable
        title={say('projects')}
        columns={columns}
        query={pageOfRows(source, projects, state, ({ name }) => name)}
        state={state}
        rowId={(project) => project.id}
        rowName={({ name }) => name}
        search={{ filter: 'keyword', placeholder: say('searchProjects') }}
        rowActions={actions}
        readRows={async () => ({ rows: projects, capped: false })}
        tools={
          manages &&
          teams.length > 0 && (
            <Button leftSection={<Icon name="plus" size={14} />} onClick={() => sheet.open('project')}>
              {say('addProject')}
            </Button>
          )
        }
        empty={{ icon: 'document', title: say('projectsEmpty'), text: say('projectsEmptyText') }}
      />
      <ConfirmAction
        opened={archiving !== undefined}
        onClose={() => setArchiving(undefined)}
        title={
          archiving === undefined
            ? ''
            : 'team' in archiving
              ? say('archiveTeamTitle', { name: archiving.team.name })
              : say('archiveProjectTitle', { name: archiving.project.name })
        }
        effect={say('archiveEffect')}
        confirmLabel={say('archive')}
        onConfirm={archive}
        danger
      />
    </div>
  )
}
