import { Button, Skeleton, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Figures } from '../../../components/display/figures.tsx'
import { Icon } from '../../../components/display/icon.tsx'
import { Quota } from '../../../components/display/quota.tsx'
import { ScrollFrame } from '../../../components/scroll-frame.tsx'
import { EmptyState, ErrorState } from '../../../components/states.tsx'
import { calls, type Organisation, type OrganisationStatement } from '../../../lib/api/contract.ts'
import { download } from '../../../lib/download.ts'
import { notifyFailure } from '../../../lib/notify.tsx'
import { useEndpoint } from '../../../lib/query.ts'
import { formatInteger } from '../../../lib/text/format.ts'
import { useSearchParams } from '../../../lib/url/search-params.ts'
import { useOrganisationMessages } from '../messages.ts'
import classes from '../organisations.module.css'
import { useSpendMessages } from './spend-messages.ts'

interface Line {
  readonly name: string
  readonly count: number
  readonly quota: number
}

const Part = ({ title, lines }: { title: string; lines: readonly Line[] }) => {
  const say = useOrganisationMessages()
  const saySpend = useSpendMessages()
  return (
    <div className="panel">
      <div className={classes.panelHead}>
        <h2>{title}</h2>
      </div>
      {lines.length === 0 ? (
        <EmptyState icon="chart" title={saySpend('noCharges')} />
      ) : (
        <ScrollFrame className={classes.scroll} label={title}>
          <table className={`${classes.table} num`} aria-label={title}>
            <thead>
              <tr>
                <th>{say('name')}</th>
                <th className={classes.number}>{say('calls')}</th>
                <th className={classes.number}>{say('cost')}</th>
              </tr>
            </thead>
            <tbody>
              {lines.map((line) => (
                <tr key={line.name}>
                  <td className="strong">{line.name}</td>
                  <td className={classes.number}>{formatInteger(line.count)}</td>
                  <td className={classes.number}>
                    <Quota value={line.quota} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollFrame>
      )}
    </div>
  )
}

const linesOf = (statement: OrganisationStatement, machines: string, none: string) => ({
  projects: statement.projects.map((one) => ({ ...one, name: one.name || none })),
  members: statement.members.map((one) => ({ ...one, name: one.member_id === 0 ? machines : one.name })),
  tags: statement.tags.map((one) => ({ ...one, name: one.tag })),
  models: statement.models.map((one) => ({ ...one, name: one.model })),
})

const monthPattern = /^20\d\d-(0[1-9]|1[0-2])$/

/** A month of the organisation: what the wallet had, what came and went, and what was charged by project, member, tag and model. */
export const Statement = ({ organisation: { id } }: { organisation: Organisation }) => {
  const say = useOrganisationMessages()
  const saySpend = useSpendMessages()
  const [search, setSearch] = useSearchParams()
  const [busy, setBusy] = useState(false)
  const month = monthPattern.test(search.month ?? '') ? search.month : undefined
  const query = month === undefined ? {} : { month }
  const read = useEndpoint(calls.getOrganisationStatement, { params: { id }, query })
  const { data } = read
  if (read.error && !data) return <ErrorState error={read.error} onRetry={() => void read.refetch()} />
  if (!data) return <Skeleton h={320} />
  const { projects, members, tags, models } = linesOf(data, say('machine'), saySpend('noProjectAnyMore'))
  const moved = data.movements.reduce((sum, { amount }) => sum + amount, 0)
  const save = async (): Promise<void> => {
    setBusy(true)
    try {
      const parts = { params: { id }, query }
      await download(calls.exportOrganisationStatement, parts, `statement-${id}-${data.month}.csv`)
    } catch (error) {
      notifyFailure(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <div className={classes.title}>
        <TextInput
          type="month"
          aria-label={say('month')}
          value={data.month}
          onChange={({ currentTarget }) => setSearch({ month: currentTarget.value || undefined })}
        />
        <span className="muted">{data.zone}</span>
        <div className={classes.actions}>
          <Button leftSection={<Icon name="download" size={14} />} loading={busy} onClick={() => void save()}>
            CSV
          </Button>
        </div>
      </div>
      <Figures
        notesBelow
        figures={[
          ...(data.opening === null ? [] : [{ label: saySpend('opening'), value: <Quota value={data.opening} /> }]),
          ...(data.opening === null ? [] : [{ label: saySpend('moved'), value: <Quota value={moved} /> }]),
          { label: saySpend('charged'), value: <Quota value={data.charges.quota} /> },
          ...(data.closing === null ? [] : [{ label: saySpend('closing'), value: <Quota value={data.closing} /> }]),
        ]}
      />
      <div className={classes.two}>
        <Part title={saySpend('byProject')} lines={projects} />
        <Part title={saySpend('byMember')} lines={members} />
        <Part title={saySpend('byTag')} lines={tags} />
        <Part title={saySpend('byModel')} lines={models} />
      </div>
    </>
  )
}
