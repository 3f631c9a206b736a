import { FineRows } from '../../../components/display/fine-rows.tsx'
import { Quota } from '../../../components/display/quota.tsx'
import { formatCompact, formatInteger } from '../../../lib/text/format.ts'
import { useUserPageMessages } from './messages.ts'
import classes from './user-page.module.css'

interface Use {
  readonly name: string
  readonly quota: number
  readonly count: number
  readonly tokens: number
  readonly share: string
}

/** Spending per item, as a table. */
export const UseTable = (props: { title: string; first: string; rows: readonly Use[]; mono?: boolean }) => {
  const say = useUserPageMessages()
  return (
    <section className={`panel ${classes.section}`}>
      <h2>{props.title}</h2>
      <div className={classes.scroll}>
        <table className={classes.figures} aria-label={props.title}>
          <thead>
            <tr>
              <th scope="col">{props.first}</th>
              <th scope="col">{say('requests')}</th>
              <th scope="col">{say('usageTokens')}</th>
              <th scope="col">{say('usageTotal')}</th>
              <th scope="col">{say('share')}</th>
            </tr>
          </thead>
          <FineRows amounts={props.rows.map(({ quota }) => quota)}>
            <tbody>
              {props.rows.map(({ name, quota, count, tokens, share }) => (
                <tr key={name}>
                  <th scope="row" className={props.mono ? 'mono' : 'num'}>
                    {name}
                  </th>
                  <td className="num">{formatInteger(count)}</td>
                  <td className="num">{formatCompact(tokens)}</td>
                  <td>
                    <Quota value={quota} />
                  </td>
                  <td className="num">{share}</td>
                </tr>
              ))}
            </tbody>
          </FineRows>
        </table>
      </div>
    </section>
  )
}
