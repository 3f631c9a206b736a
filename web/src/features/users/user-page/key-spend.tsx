import { Link } from '@tanstack/react-router'
import { FineRows } from '../../../components/display/fine-rows.tsx'
import { Quota } from '../../../components/display/quota.tsx'
import { OfReport, UsagePanel } from '../../../components/usage/panel.tsx'
import { type UsageScope, useKeySpend } from '../../../components/usage/scope.ts'
import usage from '../../../components/usage/usage.module.css'
import { formatInteger, formatPercent } from '../../../lib/text/format.ts'
import { useUserPageMessages } from './messages.ts'

/** What each of the user's keys spent in the last 30 days. */
export const KeySpend = ({ userId, scope }: { userId: number; scope: UsageScope }) => {
  const say = useUserPageMessages()
  const report = useKeySpend(scope)
  const { data } = report
  return (
    <UsagePanel
      title={say('tokens')}
      note={
        <Link to="/user/$id" params={{ id: String(userId) }} search={{ tab: 'tokens' }}>
          {say('allTokens')}
        </Link>
      }
    >
      <OfReport report={report} empty={say('usageEmpty')} isEmpty={data?.total.calls === 0}>
        {() => (
          <table className={`${usage.table} num`}>
            <thead>
              <tr>
                <th>{say('name')}</th>
                <th className={usage.number}>{say('requests')}</th>
                <th className={usage.number}>{say('used')}</th>
                <th className={usage.number}>{say('share')}</th>
              </tr>
            </thead>
            <FineRows amounts={(data?.rows ?? []).map(({ value }) => value)}>
              <tbody>
                {data?.rows.map((row) => (
                  <tr key={`${row.key} ${row.rest}`}>
                    <td>
                      {row.rest ? (
                        say('otherTokens')
                      ) : row.key === '0' ? (
                        say('playground')
                      ) : (
                        <Link to="/token/$id" params={{ id: row.key }} search={{ user: String(userId) }}>
                          {row.name || `#${row.key}`}
                        </Link>
                      )}
                    </td>
                    <td className={usage.number}>{formatInteger(row.calls)}</td>
                    <td className={usage.number}>
                      <Quota value={row.value ?? 0} />
                    </td>
                    <td className={usage.number}>{row.share === null ? '—' : formatPercent(row.share)}</td>
                  </tr>
                ))}
              </tbody>
            </FineRows>
          </table>
        )}
      </OfReport>
    </UsagePanel>
  )
}
