import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { forecastsQuery } from '../data/forecasts.ts'
import { useFormat } from '../records/field/use-format.ts'
import { Hidden } from '../ui/field.tsx'
import { driverWords, likelyWords } from './likely-words.ts'
import { t } from '../locales/text.ts'

/** By when 85 % of the ways in which a project may go reach its go-live, with the task that holds it up most. */
export function LikelyGoLive({ id, version }: { id: string; version: string }) {
  const format = useFormat()
  const { data } = useQuery({
    ...forecastsQuery([id], version),
    placeholderData: keepPreviousData,
  })
  const [found] = data?.rows ?? []
  if (!data || !found) return null
  const { finished_tasks: finished, least_tasks: least } = data
  if (finished < least) {
    return (
      <small
        title={t('It needs {least} finished tasks, and there are {finished}', { least, finished })}
      >
        {t('85 %: too little history')}
      </small>
    )
  }
  const { driver } = found
  const shown = likelyWords(found, format)
  if (!shown) return null
  const more = driverWords(found, format)
  if (!driver) return <small title={more}>{shown}</small>
  return (
    <small>
      <Link to="/tasks/$id/{-$tab}" params={{ id: driver.id }} title={more}>
        {shown}
        <Hidden>. {more}</Hidden>
      </Link>
    </small>
  )
}
