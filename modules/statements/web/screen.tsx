import { Button, Skeleton } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Icon } from '#web/components/display/icon.tsx'
import { usePageLeadsAbove } from '#web/components/page.ts'
import { PageHeader } from '#web/components/page-header.tsx'
import { EmptyState, ErrorState } from '#web/components/states.tsx'
import { ApiError } from '#web/lib/api/api.ts'
import { type calls, role } from '#web/lib/api/contract.ts'
import { useSession } from '#web/lib/api/session.ts'
import { isStaffNow, roleIn } from '#web/lib/api/staff.ts'
import { download } from '#web/lib/download.ts'
import { textIn, useLanguage } from '#web/lib/i18n.ts'
import type { FirstRead } from '#web/lib/loading/read-ahead.ts'
import { notifyFailure } from '#web/lib/notify.tsx'
import { useEndpoint } from '#web/lib/query.ts'
import { momentForPage, useTimeAnchor } from '#web/lib/time/time-anchor.ts'
import { timeZone, useTimeZone } from '#web/lib/time/time-zone.ts'
import { useSearchParams } from '#web/lib/url/search-params.ts'
import { Controls } from './controls.tsx'
import { useStatementMessages } from './messages.ts'
import { Paper } from './paper.tsx'
import classes from './statements.module.css'
import { callsOf, queryOf, readView, type StatementView } from './view.ts'

const partsOf = (view: StatementView, zone: string | undefined) => ({
  ...callsOf(view).parts,
  query: queryOf(view, zone),
})

/** Their answers have the same shape, and each gets the parts that it needs from `partsOf`. */
const getOf = (view: StatementView) => callsOf(view).get as typeof calls.getOwnStatement

const isChosen = ({ scope, userId }: StatementView): boolean => scope !== 'user' || userId !== undefined

export const firstRead: FirstRead = (read, search) => {
  const zone = timeZone()
  const view = readView(search, momentForPage(), zone, isStaffNow('billing'))
  if (isChosen(view)) read(getOf(view), partsOf(view, zone))
}

/** A month of a balance as it is printed and sent: one's own, for administrators any user's and the whole site's. */
export const StatementsScreen = () => {
  const say = useStatementMessages()
  const zone = useTimeZone()
  const navigate = useNavigate()
  const language = useLanguage()
  const leads = usePageLeadsAbove('/statement')
  const ownRole = roleIn(useSession(), 'billing')
  const [isAdmin, isRoot] = [ownRole >= role.admin, ownRole >= role.root]
  const [search, setSearch] = useSearchParams()
  const [anchor] = useTimeAnchor()
  const [saving, setSaving] = useState(false)
  const view = readView(search, anchor, zone, isAdmin)
  const parts = partsOf(view, zone)
  const statement = useEndpoint(getOf(view), parts, { enabled: isChosen(view) })
  const { data, error } = statement
  const save = async (): Promise<void> => {
    setSaving(true)
    try {
      await download(callsOf(view).file, parts, `statement-${view.month}.csv`)
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure
      notifyFailure(failure)
    } finally {
      setSaving(false)
    }
  }
  const ready = isChosen(view) && data !== undefined
  return (
    <div className={classes.screen}>
      <div className={classes.unprinted}>
        <PageHeader
          title={say('title')}
          text={say('text')}
          actions={
            <>
              {isRoot &&
                leads.map(({ path, title }) => (
                  <Button
                    key={path}
                    leftSection={<Icon name="history" size={14} />}
                    onClick={() => void navigate({ href: path })}
                  >
                    {textIn(title, language)}
                  </Button>
                ))}
              <Button
                leftSection={<Icon name="download" size={14} />}
                disabled={!ready}
                loading={saving}
                onClick={() => void save()}
              >
                {say('download')}
              </Button>
              <Button
                variant="filled"
                leftSection={<Icon name="document" size={14} />}
                disabled={!ready}
                onClick={() => window.print()}
              >
                {say('print')}
              </Button>
            </>
          }
        />
        <Controls view={view} isAdmin={isAdmin} setSearch={setSearch} />
      </div>
      {!isChosen(view) ? (
        <div className="panel">
          <EmptyState icon="users" title={say('chooseUser')} text={say('chooseUserText')} />
        </div>
      ) : error ? (
        <div className="panel">
          <ErrorState error={error} onRetry={() => void statement.refetch()} />
        </div>
      ) : data ? (
        <Paper statement={data} />
      ) : (
        <Skeleton h={520} />
      )}
    </div>
  )
}
