import { Button } from '@mantine/core'
import { useState } from 'react'
import { calls, type DataOf, type previewVirtualModel } from '#web/lib/api/contract.ts'
import { useAction } from '#web/lib/query.ts'
import { formatInteger } from '#web/lib/text/format.ts'
import type { VirtualSpec } from './fields.ts'
import { useRouteMessages } from './messages.ts'
import classes from './routes.module.css'

type Preview = DataOf<typeof previewVirtualModel>

/** How many of yesterday's calls each rule would have taken. */
export const RulePreview = ({ spec }: { spec: () => VirtualSpec }) => {
  const say = useRouteMessages()
  const [shown, setShown] = useState<Preview>()
  const preview = useAction(calls.previewVirtualModel, { onDone: setShown })
  const textOf = ({ rule, calls: count, at_most }: Preview['rules'][number]): string => {
    const figures = { rule, count: formatInteger(count) }
    if (rule === '') return say('previewRest', figures)
    return at_most ? say('previewAtMost', figures) : say('previewRule', figures)
  }
  return (
    <div className={classes.preview} aria-live="polite">
      <Button size="compact-sm" loading={preview.busy} onClick={() => void preview.run({ body: spec() })}>
        {say('preview')}
      </Button>
      {shown &&
        (shown.calls === 0 ? <p>{say('previewNone')}</p> : <p>{say('previewCalls', { count: shown.calls })}</p>)}
      {shown && shown.calls > 0 && (
        <ul>
          {shown.rules.map((rule) => (
            <li key={rule.rule} className="num">
              {textOf(rule)}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
