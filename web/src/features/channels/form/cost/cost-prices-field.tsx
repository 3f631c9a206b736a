import { type ReactNode, useState } from 'react'
import { JsonField } from '../../../../components/form/json-field.tsx'
import { useChannelFormMessages } from '../form-messages.ts'
import classes from './cost.module.css'
import { useCostMessages } from './cost-messages.ts'
import { type CostRows, readCostRows, writeCostRows } from './cost-rows.ts'
import { CostTable } from './cost-table.tsx'

interface CostPricesFieldProps {
  value: string
  onChange: (text: string) => void
  onBlur?: (() => void) | undefined
  error?: ReactNode
  /** Models of the channel, for suggestions. */
  models: readonly string[]
}

/** Own prices and discounts as a table or as JSON: two views of one text. JSON that the table cannot show stays JSON. */
export const CostPricesField = ({ value, onChange, onBlur, error, models }: CostPricesFieldProps) => {
  const sayForm = useChannelFormMessages()
  const say = useCostMessages()
  const [asJson, setAsJson] = useState(false)
  const [own, setOwn] = useState<{ readonly text: string; readonly rows: CostRows | undefined }>()
  // Rows belong to the text; an edit elsewhere (JSON, a reset) makes new ones.
  const current = own?.text === value ? own : { text: value, rows: readCostRows(value) }
  if (current !== own) setOwn(current)
  const change = (rows: CostRows): void => {
    const text = writeCostRows(rows)
    setOwn({ text, rows })
    onChange(text)
  }
  const { rows } = current
  const isTable = rows !== undefined && !asJson
  return (
    <div className={classes.cost}>
      {isTable ? (
        <>
          <CostTable
            rows={rows}
            models={models}
            isInvalid={error !== undefined && error !== null}
            onChange={change}
            onBlur={onBlur}
          />
          {error && (
            <p className={classes.error} role="alert">
              {error}
            </p>
          )}
        </>
      ) : (
        <JsonField
          label={sayForm('costPrices')}
          description={sayForm('costPricesHint')}
          value={value}
          onChange={onChange}
          onBlur={onBlur}
          error={error}
        />
      )}
      <button type="button" className="text-button" disabled={rows === undefined} onClick={() => setAsJson(isTable)}>
        {say(isTable ? 'asJson' : 'asTable')}
      </button>
    </div>
  )
}
