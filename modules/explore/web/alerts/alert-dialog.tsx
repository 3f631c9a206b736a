import { Button, Modal } from '@mantine/core'
import { useState } from 'react'
import type { ExploreAlert, FigureDimension, FigureReport } from '#web/lib/api/contract.ts'
import { useExploreMessages } from '../question/messages.ts'
import type { ExploreView } from '../question/view.ts'
import { AlertForm } from './alert-form.tsx'
import { AlertList } from './alert-list.tsx'
import classes from './alerts.module.css'
import { useAlertMessages } from './messages.ts'

/** The alerts that there are, and a new one on the chart that is shown. */
export const AlertDialog = (props: {
  view: ExploreView
  report: FigureReport | undefined
  /** Begins with the form of a new alert. */
  adding: boolean
  nameOf: (dimension: FigureDimension, key: string) => string
  onClose: () => void
}) => {
  const say = useAlertMessages()
  const sayExplore = useExploreMessages()
  const [adding, setAdding] = useState(props.adding)
  const { view } = props
  const textOf = ({ metric, filters }: Pick<ExploreAlert, 'metric' | 'filters'>): string => {
    const conditions = filters.map(({ dimension, is, values }) => {
      const shown = values.map((value) => (is === 'contains' ? value : props.nameOf(dimension, value)))
      return `${sayExplore(`${is}Text`, { dimension: sayExplore(`dimension_${dimension}`) })} ${shown.join(', ')}`
    })
    return [sayExplore(`metric_${metric}`), ...conditions].join(' · ')
  }
  const question = { metric: view.metric, filters: [...view.filters], mine: view.mine }
  return (
    <Modal
      opened
      size="lg"
      onClose={props.onClose}
      title={<strong className="strong">{say('alerts')}</strong>}
      closeButtonProps={{ 'aria-label': say('closeAlerts') }}
    >
      <p className={classes.question}>{say('alertsText')}</p>
      {adding ? (
        <AlertForm
          question={question}
          text={textOf(question)}
          report={props.report}
          onDone={() => setAdding(false)}
          onCancel={() => setAdding(false)}
        />
      ) : (
        <Button className={classes.new ?? ''} onClick={() => setAdding(true)}>
          {say('newOfChart')}
        </Button>
      )}
      <AlertList questionText={textOf} onShown={props.onClose} />
    </Modal>
  )
}
