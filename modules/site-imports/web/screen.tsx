import { PageHeader } from '#web/components/page-header.tsx'
import { EmptyState } from '#web/components/states.tsx'
import { calls, role } from '#web/lib/api/contract.ts'
import { useSession } from '#web/lib/api/session.ts'
import type { FirstRead } from '#web/lib/loading/read-ahead.ts'
import { useEndpoint } from '#web/lib/query.ts'
import { formatInteger } from '#web/lib/text/format.ts'
import { refusalText } from '#web/lib/text/refusal-text.ts'
import { ImportForm } from './import-form.tsx'
import { useSiteImportMessages } from './messages.ts'
import { ImportReport } from './report.tsx'
import classes from './site-imports.module.css'

const refreshMs = 2_000

export const firstRead: FirstRead = (read) => read(calls.getSiteImport, {})

const Content = () => {
  const say = useSiteImportMessages()
  const { data: state } = useEndpoint(calls.getSiteImport, {}, { refreshEveryMs: refreshMs })
  return (
    <div className={classes.columns}>
      <ImportForm isRunning={state?.running === true} />
      <section className="panel" aria-label={say('report')}>
        {state?.running === true && (
          <div role="status" className={classes.running}>
            <progress value={state.done} max={Math.max(1, state.total)} aria-label={say('report')} />
            <span className="num">
              {say('running', { done: formatInteger(state.done), total: formatInteger(state.total) })}
            </span>
          </div>
        )}
        {state !== undefined && state.error !== '' && (
          <p role="alert" className={classes.error}>
            {refusalText(state.error, state)}
          </p>
        )}
        {state?.report ? (
          <ImportReport report={state.report} />
        ) : (
          <EmptyState icon="receipt" title={say('none')} text={say('noneText')} />
        )}
      </section>
    </div>
  )
}

/** Moving the database of another gateway in; for root. */
export const SiteImportsScreen = () => {
  const say = useSiteImportMessages()
  const isRoot = (useSession()?.role ?? 0) >= role.root
  return (
    <>
      <PageHeader title={say('title')} text={say('text')} />
      {isRoot ? (
        <Content />
      ) : (
        <div className="panel">
          <EmptyState icon="receipt" title={say('rootOnly')} />
        </div>
      )}
    </>
  )
}
