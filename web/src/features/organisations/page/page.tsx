import { Button, Skeleton } from '@mantine/core'
import { Link, useParams } from '@tanstack/react-router'
import { Icon } from '../../../components/display/icon.tsx'
import { organisationTabs } from '../../../components/parts/organisation-parts.tsx'
import { ErrorState } from '../../../components/states.tsx'
import { TabLinks } from '../../../components/tab-links.tsx'
import { calls, type Organisation } from '../../../lib/api/contract.ts'
import { useSession } from '../../../lib/api/session.ts'
import { isStaffNow } from '../../../lib/api/staff.ts'
import { textIn, useLanguage } from '../../../lib/i18n.ts'
import { onDemand } from '../../../lib/loading/on-demand.tsx'
import { useEndpoint } from '../../../lib/query.ts'
import { formatInteger } from '../../../lib/text/format.ts'
import { useTitleOf } from '../../../lib/url/page-object.ts'
import { useSearchParams } from '../../../lib/url/search-params.ts'
import { useOrganisationMessages } from '../messages.ts'
import classes from '../organisations.module.css'
import { mayInvite } from '../rights.ts'
import { Overview } from './overview.tsx'
import { useSheet } from './sheet.ts'
import { countIn, isOwnTab, tabOf, tabsFor } from './tabs.ts'

const waiting = () => <Skeleton h={280} aria-busy="true" />
const Lists = onDemand(async () => (await import('./lists.tsx')).Lists, waiting)
const Sheets = onDemand(async () => (await import('./sheets.tsx')).Sheets)

/** Members read their own view of it; administrators of the site, who need not be members, all of it. */
export const readOf = (ofSite: boolean) =>
  (ofSite ? calls.getSiteOrganisation : calls.getOrganisation) as typeof calls.getOrganisation

export const isOfSite = (search: Readonly<Record<string, string | undefined>>): boolean =>
  search.site === '1' && isStaffNow('organisations')

const Back = () => {
  const say = useOrganisationMessages()
  return (
    <Link to="/organisation" className={classes.back}>
      <Icon name="left" size={14} /> {say('back')}
    </Link>
  )
}

const Page = ({ organisation, ofSite }: { organisation: Organisation; ofSite: boolean }) => {
  const say = useOrganisationMessages()
  const [search] = useSearchParams()
  const sheet = useSheet()
  const language = useLanguage()
  const tabs = tabsFor(organisation, ofSite, organisationTabs)
  const tab = tabOf(search.tab, tabs)
  const { may } = organisation
  const own = useSession()?.id
  useTitleOf(organisation.name)
  const textOf = (name: string): string => {
    if (isOwnTab(name)) return say(name)
    const added = organisationTabs.find((one) => one.name === name)
    return added === undefined ? name : textIn(added.title, language)
  }
  return (
    <>
      <Back />
      <div className={classes.title}>
        <h1>{organisation.name}</h1>
        <span className="muted">
          {say('subtitle', {
            members: formatInteger(organisation.members.length),
            teams: formatInteger(organisation.teams.length),
            projects: formatInteger(organisation.projects.length),
          })}
        </span>
        <div className={classes.actions}>
          {ofSite && isStaffNow('logs') && (
            <Button
              leftSection={<Icon name="document" size={14} />}
              renderRoot={(root) => (
                <Link to="/log" search={{ organisation_id: String(organisation.id) } as never} {...root} />
              )}
            >
              {say('calls')}
            </Button>
          )}
          {may.includes('pay_in') && (
            <Button leftSection={<Icon name="wallet" size={14} />} onClick={() => sheet.open('transfer')}>
              {say('transfer')}
            </Button>
          )}
          {!ofSite && mayInvite(organisation, own) && (
            <Button variant="filled" leftSection={<Icon name="plus" size={14} />} onClick={() => sheet.open('invite')}>
              {say('invite')}
            </Button>
          )}
        </div>
      </div>
      {ofSite && <p className={classes.note}>{say('readOnly')}</p>}
      <TabLinks
        to="/organisation/$id"
        id={organisation.id}
        search={ofSite ? { site: '1' } : {}}
        label={say('tabs')}
        names={tabs}
        current={tab}
        textOf={textOf}
        countOf={(name) => countIn(organisation, name, own)}
      />
      {tab === 'overview' ? (
        <Overview organisation={organisation} ofSite={ofSite} />
      ) : (
        <Lists organisation={organisation} tab={tab} />
      )}
      {sheet.present && !ofSite && <Sheets organisation={organisation} sheet={sheet.present} onClose={sheet.close} />}
    </>
  )
}

const Waiting = () => (
  <div aria-busy="true">
    <Skeleton h={28} w={220} mb={8} />
    <Skeleton h={18} w={320} mb={24} />
    <Skeleton h={280} />
  </div>
)

/** Everything about one organisation, as far as the reader's role shows it. */
export const OrganisationPage = () => {
  const { id } = useParams({ strict: false })
  const [search] = useSearchParams()
  const ofSite = isOfSite(search)
  const { data, error, refetch } = useEndpoint(readOf(ofSite), { params: { id: Number(id) } }, { staleTimeMs: 5000 })
  // Another organisation's answer stays while this one is on its way.
  if (data && data.id === Number(id)) return <Page key={id} organisation={data} ofSite={ofSite} />
  if (error)
    return (
      <>
        <Back />
        <ErrorState error={error} onRetry={() => void refetch()} />
      </>
    )
  return <Waiting />
}
