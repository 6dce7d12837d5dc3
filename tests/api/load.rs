//! The rated load: several accounts that create reports as fast as their rate allows and poll as they are told, with the limits of an
//! installation. The only times held to are those of the interface: thirty seconds for an answer, three minutes for a report.
use crate::harness::client::letter;
use crate::harness::{Client, World};
use std::time::{Duration, Instant};

const ACCOUNTS: usize = 4;
const REPORTS: usize = 10;
const LONGEST_ANSWER: Duration = Duration::from_secs(30);
const LONGEST_REPORT: Duration = Duration::from_secs(180);

struct Pending {
    place: String,
    accepted: Instant,
    due: Instant,
}

/// Creates one report a second and follows all of them to their end; gives the longest answer and the longest report.
fn customer(client: &Client, text: &str) -> (Duration, Duration) {
    let (mut longest_answer, mut longest_report) = (Duration::ZERO, Duration::ZERO);
    let mut pending: Vec<Pending> = Vec::new();
    let mut created = 0;
    let mut next = Instant::now();
    while created < REPORTS || !pending.is_empty() {
        let now = Instant::now();
        if created < REPORTS && now >= next {
            let answer = client.post(&letter(text));
            longest_answer = longest_answer.max(now.elapsed());
            assert_eq!(answer.status, 202, "{}", answer.text());
            let wait = Duration::from_secs(answer.retry_after().expect("a wait"));
            let place = answer.header("location").expect("a place").to_owned();
            pending.push(Pending { place, accepted: now, due: Instant::now() + wait });
            created += 1;
            next += Duration::from_secs(1);
        }
        pending.retain_mut(|report| {
            let asked = Instant::now();
            if asked < report.due {
                return true;
            }
            let answer = client.get(&report.place);
            longest_answer = longest_answer.max(asked.elapsed());
            assert_eq!(answer.status, 200, "{}", answer.text());
            let Some(wait) = answer.retry_after() else {
                assert_eq!(answer.json()["status"], "completed");
                longest_report = longest_report.max(report.accepted.elapsed());
                return false;
            };
            report.due = Instant::now() + Duration::from_secs(wait);
            assert!(report.accepted.elapsed() < LONGEST_REPORT, "a report takes more than three minutes");
            true
        });
        std::thread::sleep(Duration::from_millis(20));
    }
    (longest_answer, longest_report)
}

statements! {
    /// At the rated load, every report ends within three minutes and every answer comes within thirty seconds; nobody is refused.
    [68, 184]
    fn reports_end_in_time_at_rated_load(world) {
        let own = World::new(world.kind(), &[
            ("GLOSA_RATE_CREATE", "60"), ("GLOSA_RATE_STATUS", "20"), ("GLOSA_MIN_POLL_SECONDS", "1"), ("GLOSA_LOG", "warn"),
        ]);
        let text = include_str!("texts/carta.es.txt").repeat(3);
        let times: Vec<(Duration, Duration)> = std::thread::scope(|scope| {
            let customers: Vec<_> = (0..ACCOUNTS).map(|_| scope.spawn(|| customer(&own.client(), &text))).collect();
            customers.into_iter().map(|customer| customer.join().expect("a customer")).collect()
        });
        let (answer, report) = times.iter().fold((Duration::ZERO, Duration::ZERO), |longest, times| (longest.0.max(times.0), longest.1.max(times.1)));
        println!("{} reports: longest answer {answer:?}, longest report {report:?}", ACCOUNTS * REPORTS);
        assert!(answer <= LONGEST_ANSWER && report <= LONGEST_REPORT, "{answer:?}, {report:?}");
    }
}
