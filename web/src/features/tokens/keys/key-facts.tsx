import { Facts } from '../../../components/display/facts.tsx'
import { Quota } from '../../../components/display/quota.tsx'
import type { Token } from '../../../lib/api/contract.ts'
import { useLanguage } from '../../../lib/i18n.ts'
import { formatRelative } from '../../../lib/text/format.ts'
import { useTokenMessages } from '../messages.ts'
import classes from '../tokens.module.css'
import { Accessed, expiresSoon, Recent, Remaining } from '../usage-cells.tsx'
import { useRecentUse } from '../use-usage.ts'

/** A key's usage so far, above the editable fields. */
export const KeyFacts = ({ token }: { token: Token }) => {
  const say = useTokenMessages()
  const language = useLanguage()
  const use = useRecentUse([token.id])(token.id)
  const now = Date.now() / 1000
  return (
    <section className={classes.facts} aria-label={say('keyFacts')}>
      <Facts
        facts={[
          {
            label: say('recent'),
            value: (
              <>
                <Recent use={use} say={say} />
                {use && <small className="muted">{say('recentCalls', { count: use.calls })}</small>}
              </>
            ),
          },
          { label: say('accessed'), value: <Accessed token={token} say={say} /> },
          { label: say('used'), value: <Quota value={token.used_quota} /> },
          { label: say('remaining'), value: <Remaining token={token} say={say} /> },
        ]}
      />
      {expiresSoon(token, now) && (
        <p className={classes.note} role="note">
          {say('expiresSoonNote', { when: formatRelative(token.expired_time, now, language) })}
        </p>
      )}
    </section>
  )
}
