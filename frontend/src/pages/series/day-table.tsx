import type { SeriesHours } from "../../api/types";
import { ScrollBox } from "../../ui/scroll-box";
import { Section } from "../../ui/section";
import { formatCount, formatShare, formatTokens } from "../../lib/format";
import { fillHours } from "../../lib/series-hours";
import { dayHeading, dayShares } from "../../lib/series-timeline";
import { formatWeekday } from "../../lib/time";

/** The pooled share of each UTC day of the window. */
export function DayTable({ answer }: { answer: SeriesHours }) {
  const days = dayShares(fillHours(answer.items, answer.start, answer.end));
  return (
    <Section title={dayHeading(days)} how="linked hours pooled by UTC day" fold={days.length > 0 ? "the days" : undefined}>
      {days.length > 0 && (
        <ScrollBox label="Share by day">
          <table>
            <thead>
              <tr>
                <th scope="col">Day</th>
                <th scope="col" className="num">Cached share</th>
                <th scope="col" className="num">Cached / input tokens</th>
                <th scope="col" className="num">Hours</th>
              </tr>
            </thead>
            <tbody>
              {days.map((day) => (
                <tr key={day.day}>
                  <th scope="row">{formatWeekday(new Date(day.day).toISOString())}{day.isPart && <span className="sub">part of the day</span>}</th>
                  <td className="num b">{formatShare(day.share)}</td>
                  <td className="num">{formatTokens(day.cached)} / {formatTokens(day.input)}</td>
                  <td className="num">{formatCount(day.hours)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollBox>
      )}
    </Section>
  );
}
