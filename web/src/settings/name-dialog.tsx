import { useState } from 'react'
import { asProblem } from '../api/problem.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { TextField } from '../ui/text-field.tsx'

type Props = {
  title: string
  action: string
  name?: string
  onSave: (name: string) => Promise<void>
  onClose: () => void
}

/** Asks for a name; a refusal stands at it. */
export function NameDialog({ title, action, name: before = '', onSave, onClose }: Props) {
  const [name, setName] = useState(before)
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    if (isBusy) return
    setBusy(true)
    setError(undefined)
    try {
      await onSave(name.trim())
      onClose()
    } catch (caught) {
      const problem = asProblem(caught)
      setError(problem.fields[0]?.message ?? problem.message)
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={title}
      onSubmit={() => void save()}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={isBusy}>
            {action}
          </Button>
        </>
      }
    >
      <Field label="Name" required error={error}>
        <TextField value={name} onChange={setName} maxLength={100} />
      </Field>
    </Dialog>
  )
}
