import { ScrollFrame } from '#web/components/scroll-frame.tsx'
import type { SiteImportReport } from '#web/lib/api/contract.ts'
import { textIn, useLanguage } from '#web/lib/i18n.ts'
import { formatInteger } from '#web/lib/text/format.ts'
import { importNotes, mostImportExamples } from '../contract/import-notes.ts'
import { useSiteImportMessages } from './messages.ts'
import classes from './site-imports.module.css'

const Counts = ({ report }: { report: SiteImportReport }) => {
  const say = useSiteImportMessages()
  return (
    <ScrollFrame label={say('report')} className={classes.frame}>
      <table className={classes.table}>
        <thead>
          <tr>
            {(['kind', 'found', report.dry_run ? 'carriedDry' : 'carried', 'known', 'left'] as const).map((name) => (
              <th key={name} scope="col">
                {say(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {report.counts.map(({ kind, found, carried, known, left }) => (
            <tr key={kind}>
              <th scope="row">{say(`kind_${kind}`)}</th>
              <td className="num">{formatInteger(found)}</td>
              <td className="num">{formatInteger(carried)}</td>
              <td className="num">{formatInteger(known)}</td>
              <td className="num">{formatInteger(left)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollFrame>
  )
}

const Sums = ({ report }: { report: SiteImportReport }) => {
  const say = useSiteImportMessages()
  return (
    <ScrollFrame label={say('sums')} className={classes.frame}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{say('sums')}</th>
            <th scope="col">{say('before')}</th>
            {!report.dry_run && <th scope="col">{say('after')}</th>}
          </tr>
        </thead>
        <tbody>
          {report.sums.map(({ name, before, after }) => (
            <tr key={name}>
              <th scope="row">{say(`sum_${name}`)}</th>
              <td className="num">{formatInteger(before)}</td>
              {after !== null && (
                <td className="num" data-differs={after !== before || undefined}>
                  {formatInteger(after)} <small>{after === before ? say('same') : say('differs')}</small>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollFrame>
  )
}

/** Imported data, omitted data with the reasons, and the sums before and after. */
export const ImportReport = ({ report }: { report: SiteImportReport }) => {
  const say = useSiteImportMessages()
  const language = useLanguage()
  return (
    <div className={classes.report}>
      <h2>
        {report.dry_run ? say('reportDry') : say('report')} · {report.product}
      </h2>
      <Counts report={report} />
      <Sums report={report} />
      {report.notes.length > 0 && (
        <section>
          <h3>{say('notes')}</h3>
          <ul className={classes.notes}>
            {report.notes.map(({ code, count, examples }) => (
              <li key={code}>
                {textIn(importNotes[code], language)} <span className="num">({formatInteger(count)})</span>
                <p className="mono">
                  {examples.join(', ')}
                  {count > examples.length && examples.length === mostImportExamples ? ', …' : ''}
                </p>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}
