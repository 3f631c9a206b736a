import { Button } from '@mantine/core'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { PageHeader } from '../../components/page-header.tsx'
import { EmptyState, ErrorState } from '../../components/states.tsx'
import { calls } from '../../lib/api/contract.ts'
import { isStaffNow, useIsStaff } from '../../lib/api/staff.ts'
import { onDemand } from '../../lib/loading/on-demand.tsx'
import type { FirstRead } from '../../lib/loading/read-ahead.ts'
import { useAction, useEndpoint } from '../../lib/query.ts'
import { useSearchParams } from '../../lib/url/search-params.ts'
import { useOrganisationMessages } from './messages.ts'
import classes from './page/lists.module.css'
import { isOfSite, OrganisationPage, readOf } from './page/page.tsx'
import { rememberBelonging } from './remember.ts'

const FoundForm = onDemand(async () => (await import('./forms/founding-form.tsx')).FoundForm)
const SiteOrganisations = onDemand(async () => (await import('./site-organisations.tsx')).SiteOrganisations)

export const firstRead: FirstRead = (read, search, { id }) => {
  if (id !== undefined) return read(readOf(isOfSite(search)), { params: { id: Number(id) } })
  read(calls.listOrganisations)
  if (isStaffNow('organisations')) read(calls.listSiteOrganisations, { query: {} })
}

/** Organisations of the reader, a way to found or join one, and for administrators those of the site. */
const List = () => {
  const say = useOrganisationMessages()
  const navigate = useNavigate()
  const [search, setSearch] = useSearchParams()
  const isAdmin = useIsStaff('organisations')
  const list = useEndpoint(calls.listOrganisations)
  const join = useAction(calls.joinOrganisation, {
    done: say('joined'),
    refresh: [calls.listOrganisations],
    onDone: (_, { body }) => {
      rememberBelonging()
      void navigate({ to: '/organisation/$id', params: { id: String(body.organisation_id) } })
    },
  })
  const { data } = list
  const found = (
    <Button variant="filled" onClick={() => setSearch({ found: '1' })}>
      {say('found')}
    </Button>
  )
  return (
    <>
      <PageHeader title={say('title')} text={say('text')} actions={data?.may_found && data.items.length > 0 && found} />
      {list.error && !data && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      <div className={classes.panels}>
        {data && data.items.length > 0 && (
          <section className="panel" aria-label={say('own')}>
            <h2 className={classes.head}>{say('own')}</h2>
            <ul className={classes.rows}>
              {data.items.map((item) => (
                <li key={item.id}>
                  <Link to="/organisation/$id" params={{ id: String(item.id) }} className="strong">
                    {item.name}
                  </Link>
                  <span className="muted">{item.role === null ? say('teamOnly') : say(item.role)}</span>
                </li>
              ))}
            </ul>
          </section>
        )}
        {data && data.joinable.length > 0 && (
          <section className="panel" aria-label={say('joinable')}>
            <h2 className={classes.head}>{say('joinable')}</h2>
            <ul className={classes.rows}>
              {data.joinable.map((item) => (
                <li key={item.id}>
                  <span className="strong">{item.name}</span>
                  <Button loading={join.busy} onClick={() => void join.run({ body: { organisation_id: item.id } })}>
                    {say('join')}
                  </Button>
                </li>
              ))}
            </ul>
          </section>
        )}
        {data && data.items.length === 0 && (
          <div className="panel">
            <EmptyState
              icon="building"
              title={say('noneTitle')}
              text={data.may_found ? say('noneText') : say('closedText')}
              {...(data.may_found ? { action: found } : {})}
            />
          </div>
        )}
        {isAdmin && <SiteOrganisations />}
      </div>
      {search.found && data?.may_found && <FoundForm onClose={() => setSearch({ found: undefined })} />}
    </>
  )
}

/** The list of organisations, and the page of one. */
export const OrganisationsScreen = () =>
  useParams({ strict: false }).id === undefined ? <List /> : <OrganisationPage />
